import { constants } from "node:os";
import type { Outcome } from "../gate/types.ts";
import type { ToolError } from "../protocol/types.ts";
import type { ProcessEnd } from "../tools/process.ts";

const EXIT_TIMEOUT = 124;
const EXIT_CANNOT_RUN = 126;
const EXIT_NO_COMMAND = 127;
const STARTING_FAILURES: Readonly<Record<string, string>> = { ENOENT: "no such command", EACCES: "permission denied" };

/** How the command's end looks to the gate. */
export function outcomeOf(end: ProcessEnd, timeoutMs: number | undefined): Outcome {
  if (end.timedOut) return { kind: "timeout", message: `ended after ${timeoutMs} ms` };
  const cutShort = end.heldOpen ? "a background process held the output open and printed on" : undefined;
  return end.exitCode === 0 ? { kind: "success", cutShort } : { kind: "failure", message: describeEnd(end), cutShort };
}

/** A timeout as an envelope's error; any other end of a command is a result. */
export function timeoutError(end: ProcessEnd, timeoutMs: number | undefined): ToolError | undefined {
  return end.timedOut ? { code: "TIMEOUT", message: `The command was ended after ${timeoutMs} ms.` } : undefined;
}

/** "ended with exit code 3", for a sentence. */
export function describeEnd(end: ProcessEnd): string {
  return end.exitCode === null ? `was ended by ${end.signal}` : `ended with exit code ${end.exitCode}`;
}

/** The exit code that stands for the command's end. */
export function exitCodeOf(end: ProcessEnd): number {
  if (end.timedOut) return EXIT_TIMEOUT;
  if (end.exitCode !== null) return end.exitCode;
  return 128 + (end.signal === null ? 0 : constants.signals[end.signal]);
}

/** A command that could not be started. */
export interface Unstartable {
  readonly error: ToolError;
  readonly exitCode: number;
}

/** Why a command could not be started, in words and as the exit code that stands for it. */
export function describeUnstartable(program: string, error: unknown): Unstartable {
  const code = (error as NodeJS.ErrnoException).code;
  const why = STARTING_FAILURES[code ?? ""] ?? (error instanceof Error ? error.message : String(error));
  return {
    error: {
      code: code === "ENOENT" ? "NOT_FOUND" : code === "EACCES" ? "PERMISSION_DENIED" : "EXECUTION_ERROR",
      message: `cannot run ${JSON.stringify(program)}: ${why}.`,
    },
    exitCode: code === "ENOENT" ? EXIT_NO_COMMAND : EXIT_CANNOT_RUN,
  };
}
