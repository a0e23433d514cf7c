import type { Position } from "../analyzer.ts";
import { advance } from "./advance.ts";

/** A text of the source with its place. */
export interface PlacedText {
  readonly raw: string;
  readonly start: Position;
  readonly end: Position;
}

/** A paragraph longer than this is shown as several. */
export const LONG_CHARS = 1200;
const SENTENCE_END = /[.!?]["'”’)]{0,2}\s|[。！？」]/g;

/** Cuts a text of more than `LONG_CHARS` after sentences into parts of about half of that. */
export function splitText(text: PlacedText): readonly PlacedText[] {
  if (text.raw.length <= LONG_CHARS || text.raw.includes("\ufffd")) return [text];
  const parts: PlacedText[] = [];
  let { start } = text;
  let from = 0;
  for (const { index, 0: found } of text.raw.matchAll(SENTENCE_END)) {
    const to = index + found.length;
    if (to - from < LONG_CHARS / 2 || text.raw.length - to < LONG_CHARS / 4) continue;
    const raw = text.raw.slice(from, to);
    const end = advance(start, raw) as Position;
    parts.push({ raw, start, end });
    start = end;
    from = to;
  }
  parts.push({ raw: text.raw.slice(from), start, end: text.end });
  return parts;
}
