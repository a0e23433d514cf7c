import type { Outcome } from "../protocol/outcome.ts";
import type { Redaction } from "../redact/redaction.ts";
import type { SecretNumbers } from "../redact/secret-numbers.ts";

/** Writers with data to flush when the process ends. */
export interface Unwritten {
  /** Writes at once: nothing asynchronous is done any more. */
  writeNow(): void;
  /** Flushes what could not be written at once, while the process can still wait. */
  flush(): Promise<void>;
}

/** Upper bound for a program that opens a gate per request and never flushes. */
const MOST = 1000;

const waiting = new Set<Unwritten>();
let listening = false;

/** Registers a flush for the end of the process, also by `process.exit`. */
export function writeAtExit(unwritten: Unwritten): void {
  if (waiting.has(unwritten)) return;
  waiting.add(unwritten);
  const [oldest] = waiting.size > MOST ? waiting : [];
  if (oldest !== undefined) void oldest.flush();
  if (listening) return;
  listening = true;
  process.on("beforeExit", () => {
    for (const each of [...waiting]) void each.flush();
  });
  process.on("exit", () => {
    for (const each of [...waiting]) each.writeNow();
  });
}

/** There is nothing left to write. */
export function isWritten(unwritten: Unwritten): void {
  waiting.delete(unwritten);
}

/** Redacts a text; a message about an output must not reveal more than the output does. */
export type Clean = (text: string) => string;

export function cleanerOf(redaction: Redaction | undefined, secrets: SecretNumbers | undefined): Clean {
  return redaction === undefined ? (text) => text : (text) => redaction.text(text, secrets).text;
}

/** How a call ended, without the secrets in its reasons. */
export function cleanOutcome(outcome: Outcome, clean: Clean): Outcome {
  return {
    ...outcome,
    ...("message" in outcome && { message: clean(outcome.message) }),
    ...("cutShort" in outcome && outcome.cutShort !== undefined && { cutShort: clean(outcome.cutShort) }),
  };
}

/** How many secrets of each kind were taken out. */
export type Redacted = Readonly<Record<string, number>>;

/** The field with the number of redactions; none if there were none. */
export function redactedField(redacted: Redacted | undefined): { readonly redacted?: Redacted } {
  return redacted === undefined || Object.keys(redacted).length === 0 ? {} : { redacted };
}
