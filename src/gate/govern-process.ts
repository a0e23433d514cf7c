import type { ChildProcess } from "node:child_process";
import { checkOptions, kinds } from "../limits/options.ts";
import { nameCommand, toolNameOf } from "../process/name-command.ts";
import { describeUnstartable, exitCodeOf, judgeEnd, type ProcessEnd } from "../process/process-end.ts";
import { watchChild } from "../process/watch-child.ts";
import type { Outcome } from "../protocol/outcome.ts";
import type { Clean } from "./clean.ts";
import { commandLineOf } from "./command-line.ts";
import { GOVERN_CHECKS } from "./option-checks.ts";
import type { Capture, GateOptions, Governed, GovernProcessOptions, ProcessResult } from "./types.ts";

export const PROCESS_CHECKS = { ...GOVERN_CHECKS, timeoutMs: kinds.above0 };

/** Opens a capture and a redactor for the command's name. */
export type OpenCapture = (options: GateOptions) => Promise<readonly [Capture, Clean]>;

const TOO_LATE = "it had ended already when it was handed over; what it printed before was not captured";

/** Bounds the output of a running child, both streams in order of arrival. */
export async function governProcess(
  open: OpenCapture,
  child: ChildProcess,
  options: GovernProcessOptions,
): Promise<ProcessResult> {
  kinds.having("a child process of node:child_process", "exitCode", "stdout")(child, "The child for governProcess()");
  checkOptions(options, PROCESS_CHECKS, "governProcess()");
  const { timeoutMs, signal, ...rest } = options;
  const opening = open({
    tool: toolNameOf(child.spawnfile ?? "process"),
    commandLine: commandLineOf(child.spawnargs ?? []),
    ...rest,
  });
  const late = child.exitCode !== null || child.signalCode !== null;
  // Attach before awaiting anything: Node drops unread output when a child ends.
  const watched = watchChild(child, (chunk) => opening.then(([capture]) => capture.write(chunk)), {
    signal,
    timeoutMs,
  });
  // It is waited for only once there is a capture, which may never be.
  watched.catch(() => undefined);
  const [capture, clean] = await opening;
  try {
    const end = await watched;
    const outcome = judgeEnd(end, { command: nameCommand(clean(child.spawnargs.join(" "))), timeoutMs });
    return concludeProcess(await capture.finish(late ? tooLate(outcome) : outcome), end);
  } catch (thrown) {
    return unstartedProcess(capture, child.spawnfile, thrown);
  }
}

export function concludeProcess(governed: Governed, end: ProcessEnd): ProcessResult {
  return { ...governed, exitCode: exitCodeOf(end), ...(end.signal !== null && { signal: end.signal }) };
}

export async function unstartedProcess(capture: Capture, program: string, thrown: unknown): Promise<ProcessResult> {
  const { error, exitCode } = describeUnstartable(program, thrown);
  return { ...(await capture.finish({ kind: "failure", message: error.message })), exitCode };
}

function tooLate(outcome: Outcome): Outcome {
  return outcome.kind === "success" || outcome.kind === "failure" ? { ...outcome, cutShort: TOO_LATE } : outcome;
}
