import type { Outcome } from "../protocol/outcome.ts";
import type { Redaction } from "../redact/redaction.ts";
import type { SecretNumbers } from "../redact/secret-numbers.ts";

/** Takes the secrets out of a text; what is said of an output must not tell more than the output does. */
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

/** The field for what was taken out; none when that is nothing. */
export function redactedField(redacted: Redacted | undefined): { readonly redacted?: Redacted } {
  return redacted === undefined || Object.keys(redacted).length === 0 ? {} : { redacted };
}
