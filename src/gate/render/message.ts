import { kinds } from "../../limits/options.ts";
import { describeOutcome, isNotable, type Outcome } from "../../protocol/outcome.ts";
import type { Governed } from "../types.ts";

/** The result as plain text: all of it and how it ended, unless that was well, or preview and notice within the limits. */
export function renderMessage(governed: Governed): string {
  checkGoverned(governed, "renderMessage()");
  if (governed.kind === "whole") return withEnding(governed.text, governed.outcome);
  const { preview, notice, strategy } = governed;
  if (notice === "") return preview.text;
  if (preview.text === "") return notice;
  return strategy === "tail" ? `${notice}\n\n${preview.text}` : `${preview.text}\n\n${notice}`;
}

/** Throws a sentence for what is no result of a gate, such as a promise of one. */
export function checkGoverned(governed: unknown, place: string): void {
  kinds.having(
    "a result of govern(), exec() or capture.finish()",
    "kind",
    "outcome",
  )(governed, `The result for ${place}`);
}

function withEnding(text: string, outcome: Outcome): string {
  if (!isNotable(outcome)) return text;
  return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${describeOutcome(outcome)}`;
}
