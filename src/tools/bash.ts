import os from "node:os";
import { z } from "zod";
import type { Outcome } from "../gate/types.ts";
import { formatPlural } from "../preview/omission.ts";
import { ToolFailure } from "../protocol/tool-failure.ts";
import type { ToolError } from "../protocol/types.ts";
import { defineTool } from "./define-tool.ts";
import { type ProcessEnd, runProcess } from "./process.ts";
import { directoryPath } from "./sandbox.ts";

const BASH_TIMEOUT_MS = 120_000;
const BASH_MAX_TIMEOUT_MS = 3_600_000;

/** Settings that keep programs from waiting for somebody at a terminal. */
const QUIET = {
  TERM: "dumb",
  PAGER: "cat",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  DEBIAN_FRONTEND: "noninteractive",
};

/** Runs a shell command. */
export const bashTool = defineTool({
  name: "Bash",
  description: `Run a shell command without a terminal and without input; gives its output (both streams in order) and exit code. Ended after ${BASH_TIMEOUT_MS / 1000} s unless timeout_ms says otherwise. Long output is saved and shown in part. Redirect the output of background processes.`,
  readOnly: false,
  parameters: z.strictObject({
    command: z.string().min(1).describe("Command line for the shell."),
    cwd: z.string().default(".").describe("Working directory, relative to the root."),
    timeout_ms: z.int().min(1).max(BASH_MAX_TIMEOUT_MS).default(BASH_TIMEOUT_MS),
    env: z.record(z.string(), z.string()).default({}).describe("Environment variables to add."),
  }),
  redact: (params) =>
    typeof params.env === "object" && params.env !== null
      ? { ...params, env: Object.fromEntries(Object.keys(params.env).map((name) => [name, "[redacted]"])) }
      : { ...params },
  async execute({ command, cwd, timeout_ms: timeoutMs, env }, run) {
    if (command.includes("\0")) throw new ToolFailure("INVALID_PARAM", "A command cannot hold a NUL character.");
    checkVariables(env);
    const directory = await run.sandbox.openDirectory(cwd);
    try {
      const capture = await run.capture();
      const end = await runProcess({
        command,
        cwd: directoryPath(directory.handle, directory.real),
        env: { ...process.env, ...QUIET, PWD: directory.real, ...env },
        onChunk: (chunk) => capture.write(chunk),
        signal: run.signal,
        timeoutMs,
      }).catch((error) => {
        throw (error as NodeJS.ErrnoException).code === "E2BIG" ? tooLong(command) : error;
      });
      const { outcome, error } = judge(end, timeoutMs);
      const governed = await capture.finish(outcome);
      const held = end.heldOpen
        ? " A background process keeps the output open; what it prints from now on is not captured."
        : "";
      return {
        governed,
        text: `${describeEnd(end, timeoutMs)} It printed ${formatPlural(governed.size.lines, "line")} (${formatPlural(governed.size.bytes, "byte")}).${held}`,
        stats: endStats(end),
        cwd: directory.relative,
        pathResolved: directory.relative,
        error,
      };
    } finally {
      await directory.handle.close();
    }
  },
});

/** The system's own complaint would repeat the value, which may be a secret. */
function checkVariables(env: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(env)) {
    if (/^[^=\0]+$/.test(name) && !value.includes("\0")) continue;
    throw new ToolFailure("INVALID_PARAM", "A variable of env has a wrong name, or a NUL character in its value.", {
      next: "Give names without = and values without NUL.",
    });
  }
}

function tooLong(command: string): ToolFailure {
  return new ToolFailure("INVALID_PARAM", `The command and env are too long to start (${command.length} characters).`, {
    next: "Put it into a file with Write, and run that.",
  });
}

function judge(end: ProcessEnd, timeoutMs: number): { outcome: Outcome; error?: ToolError } {
  if (end.timedOut) {
    const message = `The command took longer than ${timeoutMs} ms and was ended.`;
    return { outcome: { kind: "timeout", message }, error: { code: "TIMEOUT", message } };
  }
  if (end.aborted) {
    const message = "The command was aborted.";
    return { outcome: { kind: "aborted", message }, error: { code: "EXECUTION_ERROR", message } };
  }
  return { outcome: { kind: "success" } };
}

function describeEnd(end: ProcessEnd, timeoutMs: number): string {
  if (end.timedOut) {
    return `The command took longer than ${timeoutMs} ms and was ended with its whole process group; raise timeout_ms, or run it in the background with its output in a file.`;
  }
  if (end.aborted)
    return "The command was aborted and ended with its whole process group; run it again if its result is needed.";
  return end.signal === null
    ? `The command ended with exit code ${end.exitCode}.`
    : `The command was ended by ${end.signal}.`;
}

function endStats({ exitCode, signal }: ProcessEnd): Record<string, number | string> {
  if (signal !== null) return { exit_code: 128 + (os.constants.signals[signal] ?? 0), signal };
  return exitCode === null ? {} : { exit_code: exitCode };
}
