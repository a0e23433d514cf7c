import { type CommandTable, runCommandLine } from "./command-line.ts";

/** What agents and hooks call with every tool result, so that its start counts. */
export const FREQUENT = {
  run: {
    summary: "run a command and show as much of its output as a model should see",
    load: async () => (await import("./run.ts")).createRunCommand(),
  },
  pipe: {
    summary: "do the same for standard input",
    load: async () => (await import("./pipe.ts")).createPipeCommand(),
  },
  preview: {
    summary: "show the preview of a file or standard input; save nothing",
    load: async () => (await import("./preview.ts")).createPreviewCommand(),
  },
  shell: {
    summary: "run a line as an agent's shell tool does once Spillway is in it",
    load: async () => (await import("./shell.ts")).createShellCommand(),
  },
  hook: {
    summary: "answer an agent's hook; agents call this",
    load: async () => (await import("./hook.ts")).createHookCommand(),
  },
} satisfies CommandTable;

/** The command line as far as these commands go. */
export function main(argv: readonly string[]): Promise<void> {
  return runCommandLine(argv, FREQUENT);
}
