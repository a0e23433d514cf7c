import { type CommandTable, runCommandLine } from "./command-line.ts";

/** What agents and hooks call with every tool result, so that its start counts. */
const COMMANDS: CommandTable = {
  run: { summary: "", load: async () => (await import("./run.ts")).createRunCommand() },
  pipe: { summary: "", load: async () => (await import("./pipe.ts")).createPipeCommand() },
  preview: { summary: "", load: async () => (await import("./preview.ts")).createPreviewCommand() },
  shell: { summary: "", load: async () => (await import("./shell.ts")).createShellCommand() },
  hook: { summary: "", load: async () => (await import("./hook.ts")).createHookCommand() },
};

/** The command line as far as these commands go. */
export function main(argv: readonly string[]): Promise<void> {
  return runCommandLine(argv, COMMANDS);
}
