import { constants } from "node:os";
import { ownValue } from "../bytes/own-value.ts";
import { messageOf } from "../errors.ts";
import type { Outcome } from "../protocol/outcome.ts";
import type { ToolError } from "../protocol/types.ts";

/** How a child ended. */
export interface ProcessEnd {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  /** True when other processes still held the output open and it was closed without them. */
  readonly heldOpen: boolean;
}

const EXIT_TIMEOUT = 124;
const EXIT_CANNOT_RUN = 126;
const EXIT_NO_COMMAND = 127;
const HELD_OPEN = "a background process still holds the output open; what it prints from now on is not captured";
const STARTING_FAILURES: Readonly<Record<string, string>> = { ENOENT: "no such command", EACCES: "permission denied" };

export interface Attempt {
  /** What was run, as a sentence may call it. @default "the command" */
  readonly command?: string | undefined;
  readonly timeoutMs?: number | undefined;
}

/** How an end looks to the gate, whoever started the process. */
export function judgeEnd(end: ProcessEnd, attempt: Attempt = {}): Outcome {
  const message = `${attempt.command ?? "the command"} ${describeEnd(end, attempt.timeoutMs)}`;
  if (end.timedOut) return { kind: "timeout", message };
  if (end.aborted) return { kind: "aborted", message };
  const cutShort = end.heldOpen ? HELD_OPEN : undefined;
  if (end.exitCode === 0) return { kind: "success", cutShort };
  return { kind: "failure", message, cutShort, exitCode: exitCodeOf(end), signal: end.signal ?? undefined };
}

/** The outcome of a process in words: "ended with exit code 3". */
export function describeEnd(
  { exitCode, signal, timedOut, aborted }: Pick<ProcessEnd, "exitCode" | "signal"> & Partial<ProcessEnd>,
  timeoutMs?: number,
): string {
  if (timedOut === true)
    return timeoutMs === undefined ? "took too long and was ended" : `was ended after ${timeoutMs / 1000} s`;
  if (aborted === true) return "was ended on request";
  if (exitCode === null) return `was ended by ${signal} (exit code ${128 + signalNumber(signal)})`;
  const by = Object.entries(constants.signals).find(([, number]) => number === exitCode - 128)?.[0];
  return `ended with exit code ${exitCode}${by === undefined ? "" : ` (as after ${by})`}`;
}

export function exitCodeOf(end: ProcessEnd): number {
  if (end.timedOut) return EXIT_TIMEOUT;
  return end.exitCode ?? 128 + signalNumber(end.signal);
}

/** An end as an envelope's stats have it. */
export function endStats(end: ProcessEnd): Record<string, number | string> {
  return { exit_code: exitCodeOf(end), ...(end.signal === null ? {} : { signal: end.signal }) };
}

/** A command that could not be started. */
export interface Unstartable {
  readonly error: ToolError;
  readonly exitCode: number;
}

/** Why a command could not start, in words and as an exit code. */
export function describeUnstartable(program: string, error: unknown): Unstartable {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const why = ownValue(STARTING_FAILURES, code ?? "") ?? messageOf(error);
  return {
    error: {
      code: code === "ENOENT" ? "NOT_FOUND" : code === "EACCES" ? "PERMISSION_DENIED" : "EXECUTION_ERROR",
      message: `cannot run ${JSON.stringify(program)}: ${why}.`,
    },
    exitCode: code === "ENOENT" ? EXIT_NO_COMMAND : EXIT_CANNOT_RUN,
  };
}

function signalNumber(signal: NodeJS.Signals | null): number {
  return signal === null ? 0 : constants.signals[signal];
}
