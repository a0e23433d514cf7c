import { type CommandTable, runCommandLine } from "./command-line.ts";

/** What agents and hooks call with every tool result, so that its start counts. */
export const FREQUENT = {
  run: {
    summary: "run a command and show its output bounded",
    load: async () => (await import("./run.ts")).createRunCommand(),
  },
  pipe: { summary: "the same for standard input", load: async () => (await import("./pipe.ts")).createPipeCommand() },
  preview: {
    summary: "only the preview of a file or standard input; nothing is saved",
    load: async () => (await import("./preview.ts")).createPreviewCommand(),
  },
  shell: {
    summary: "run a shell line as an agent's shell tool does, with Spillway below it",
    load: async () => (await import("./shell.ts")).createShellCommand(),
  },
  hook: {
    summary: "answer an agent's hook after a tool call",
    load: async () => (await import("./hook.ts")).createHookCommand(),
  },
} satisfies CommandTable;

/** The command line as far as these commands go. */
export function main(argv: readonly string[]): Promise<void> {
  return runCommandLine(argv, FREQUENT);
}
