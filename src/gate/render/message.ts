import { describeOutcome, isNotable, type Outcome } from "../../protocol/outcome.ts";
import type { Governed } from "../types.ts";

/** The result as plain text: all of it and how it ended, unless that was well, or preview and notice within the limits. */
export function renderMessage(governed: Governed): string {
  if (governed.kind === "whole") return withEnding(governed.text, governed.outcome);
  const { preview, notice, strategy } = governed;
  if (notice === "") return preview.text;
  if (preview.text === "") return notice;
  return strategy === "tail" ? `${notice}\n\n${preview.text}` : `${preview.text}\n\n${notice}`;
}

function withEnding(text: string, outcome: Outcome): string {
  if (!isNotable(outcome)) return text;
  return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${describeOutcome(outcome)}`;
}
