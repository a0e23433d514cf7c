import type { Size } from "../preview/types.ts";
import { errorCodeOfMessage } from "../protocol/error-code.ts";
import { isNotable, type Outcome, reasonOf } from "../protocol/outcome.ts";
import type { ToolError, ToolErrorCode, ToolResponse, ToolStats, ToolStatus } from "../protocol/types.ts";

/** How an outcome changes an envelope. */
export interface Verdict {
  readonly status: ToolStatus;
  readonly error?: ToolError;
  /** Facts that accompany the output. */
  readonly data: Readonly<Record<string, true>>;
  /** The next step; none after a success. */
  readonly next?: string;
}

const NEXT: Readonly<Record<Outcome["kind"], string>> = {
  success: "Call it again if the rest is needed.",
  failure: "Mend what it names, then call again.",
  timeout: "Give it more time or narrow it, then call again.",
  aborted: "Call it again if its result is still needed.",
};
const FACTS: Readonly<Record<Outcome["kind"], Verdict["data"]>> = {
  success: { truncated: true },
  failure: {},
  timeout: { timed_out: true },
  aborted: { aborted: true },
};

/** Shell exit codes: command not found or not executable, and codes for signals. */
const CANNOT_RUN = 126;
const NO_COMMAND = 127;
const HIGHEST_SIGNAL = 128 + 64;

function nextAfterExit(exitCode: number, signal: string | undefined, { bytes }: Size): string {
  if (exitCode === CANNOT_RUN || exitCode === NO_COMMAND) return "Check that the command exists and may be run.";
  if (signal !== undefined || (exitCode > NO_COMMAND && exitCode <= HIGHEST_SIGNAL)) {
    return "Check what ended it, such as a lack of memory, or give the command less to do, then call again.";
  }
  const why = bytes > 0 ? "Its output says why" : "It printed nothing that says why";
  return `${why}; continue if that code is an answer, as grep's 1 means no match.`;
}

/** The envelope's status for an outcome: an error only without output, since output is always useful. */
export function judgeOutcome(outcome: Outcome, size: Size): Verdict {
  if (!isNotable(outcome)) return { status: "success", data: {} };
  const data = FACTS[outcome.kind];
  const { exitCode, signal } = outcome.kind === "failure" ? outcome : {};
  const ran = exitCode !== undefined || signal !== undefined;
  const brokeOff = outcome.kind !== "failure" || outcome.cutShort !== undefined;
  const next = ran ? nextAfterExit(exitCode ?? 1, signal, size) : NEXT[outcome.kind];
  if (ran || outcome.kind === "success" || (brokeOff && size.bytes > 0)) return { status: "partial", data, next };
  const message = reasonOf(outcome) || "the tool failed without saying why";
  return { status: "error", error: { code: codeOf(outcome, message), message: sentence(message) }, data, next };
}

/** How the call ended that a finished envelope tells of. */
export function outcomeOfResponse(
  response: Partial<Pick<ToolResponse, "status" | "error" | "stats" | "data">>,
): Outcome {
  const { status, error, stats, data } = response;
  if (status === "error") return { kind: "failure", message: error?.message ?? "" };
  const exitCode = exitCodeOf({ ...data, ...stats });
  const { signal } = stats ?? ({} as Partial<ToolStats>);
  const message =
    exitCode === undefined
      ? ""
      : `the command ended with exit code ${exitCode}${signal === undefined ? "" : ` (${signal})`}`;
  if (data?.timed_out === true) return { kind: "timeout", message };
  if (typeof exitCode === "number" && exitCode !== 0) return { kind: "failure", message, exitCode };
  return status === "partial" && mayHaveFailed(data) ? { kind: "success", unseen: true } : { kind: "success" };
}

/** True of a partial result that says more, or less, than that its output was cut. */
function mayHaveFailed(data: ToolResponse["data"] | undefined): boolean {
  return data !== undefined && (data.truncated !== true || data.failed_items !== undefined);
}

const EXIT_CODES = ["exit_code", "exitCode", "returncode", "return_code", "exit"];

function exitCodeOf(facts: Readonly<Record<string, unknown>>): number | undefined {
  return EXIT_CODES.map((name) => facts[name]).find((code) => typeof code === "number");
}

function codeOf(outcome: Outcome, message: string): ToolErrorCode {
  if (outcome.kind === "timeout") return "TIMEOUT";
  const code = outcome.kind === "failure" ? errorCodeOfMessage(message) : "INTERNAL_ERROR";
  return code === "INTERNAL_ERROR" ? "EXECUTION_ERROR" : code;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?…]$/.test(text) ? "" : "."}`;
}
