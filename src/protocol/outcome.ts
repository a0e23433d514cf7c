/** How a tool ended. Every ending passes the same gate. `cutShort` says why the output itself is not all there is. */
export type Outcome =
  | {
      readonly kind: "success";
      readonly cutShort?: string | undefined;
      /** The outcome is unknown, as at the end of a pipe, so notices must not report success. */
      readonly unseen?: true | undefined;
    }
  | {
      readonly kind: "failure";
      readonly message: string;
      readonly cutShort?: string | undefined;
      /** Of a process that ran: its exit code, or the signal that ended it. Such an output is an answer all the same. */
      readonly exitCode?: number | undefined;
      readonly signal?: string | undefined;
    }
  | { readonly kind: "timeout"; readonly message: string }
  | { readonly kind: "aborted"; readonly message: string };

/** A reason appears in notices, which share the limits with the preview. */
const REASON_CHARS = 200;

const VERDICT = {
  success: "The tool call succeeded",
  failure: "The tool call failed",
  timeout: "The tool call failed (timed out)",
  aborted: "The tool call failed (aborted)",
} as const;

/** A call's outcome as one sentence: "The tool call failed: the command ended with exit code 3."; empty if unknown. */
export function describeOutcome(outcome: Outcome): string {
  const reason = reasonOf(outcome);
  if (reason === "" && outcome.kind === "success" && outcome.unseen === true) return "";
  if (reason === "") return `${VERDICT[outcome.kind]}.`;
  return outcome.kind === "success"
    ? `${VERDICT.success}, but its output is truncated: ${reason}.`
    : `${VERDICT[outcome.kind]}: ${reason}.`;
}

/** The same in a few words, for rooms that hold no sentence: "Failed (exit code 3)." */
export function brieflyDescribe(outcome: Outcome): string {
  if (outcome.kind === "success") return "Cut short.";
  if (outcome.kind !== "failure") return `Failed (${outcome.kind === "timeout" ? "timed out" : "aborted"}).`;
  const end = endOf(outcome);
  return end === "" ? "Failed." : `Failed (${end}).`;
}

/** True if the reader must know the outcome: the call failed, or the output is incomplete. */
export function isNotable(outcome: Outcome): boolean {
  return outcome.kind !== "success" || outcome.cutShort !== undefined;
}

/** Why a call ended as it did, short and on one line; empty when there is nothing to say. */
export function reasonOf(outcome: Outcome): string {
  const message = outcome.kind === "success" ? "" : withEnd(outcome);
  const cutShort = "cutShort" in outcome ? onOneLine(outcome.cutShort ?? "") : "";
  if (cutShort.includes(message)) return shorten(cutShort);
  return shorten(cutShort === "" ? message : `${message}; its output is truncated: ${cutShort}`);
}

/** The message, with the exit code or signal where it does not tell it. */
function withEnd(outcome: Exclude<Outcome, { kind: "success" }>): string {
  const message = onOneLine(outcome.message);
  if (outcome.kind !== "failure") return message;
  const end = endOf(outcome);
  if (message.includes(end) || new RegExp(`\\b${outcome.exitCode}\\b`).test(message)) return message;
  return message === "" ? end : `${message} (${end})`;
}

function endOf({ exitCode, signal }: Extract<Outcome, { kind: "failure" }>): string {
  return signal ?? (exitCode === undefined ? "" : `exit code ${exitCode}`);
}

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim().replace(/\.$/, "");
}

function shorten(text: string): string {
  if (text.length <= REASON_CHARS) return text;
  const end = text.slice(0, REASON_CHARS - 1);
  return `${/[\uD800-\uDBFF]$/.test(end) ? end.slice(0, -1) : end}…`;
}
