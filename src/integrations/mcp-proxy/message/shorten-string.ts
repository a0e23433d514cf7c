import { preview } from "../../../preview/preview.ts";

/** Shorter texts, or texts with less room, have no lines to choose from. */
const LINES_FROM_CHARS = 2000;
const LINES_FROM_ROOM = 400;
const TRIES = 4;
const ELLIPSIS = "…";

export interface ShortString {
  readonly text: string;
  /** UTF-16 units of the original that are still there. */
  readonly kept: number;
}

/**
 * A string whose JSON form takes at most `room` bytes: of a long text what matters, with markers; of a short one both
 * ends. It is never shorter than `minLength`, whatever the room.
 */
export function shortenString(text: string, room: number, minLength = 0): ShortString {
  if (text.length >= LINES_FROM_CHARS && room >= LINES_FROM_ROOM) {
    const shown = byLines(text, room);
    if (shown && shown.text.length >= minLength) return shown;
  }
  return bothEnds(text, room, minLength);
}

function byLines(text: string, room: number): ShortString | undefined {
  let maxBytes = room - 2;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const shown = preview(text, { strategy: "smart", maxBytes, maxLines: Number.MAX_SAFE_INTEGER });
    const bytes = jsonLength(shown.text);
    if (bytes <= room) return { text: shown.text, kept: shown.kept.chars };
    maxBytes = Math.floor((maxBytes * room * 0.98) / bytes);
    if (maxBytes < LINES_FROM_ROOM / 2) return undefined;
  }
  return undefined;
}

/** The beginning and, where there is room for it, the end. */
function bothEnds(text: string, room: number, minLength: number): ShortString {
  const join = (kept: number): string => {
    const tail = kept < 16 ? 0 : Math.floor(kept / 4);
    const head = wholeUnits(text.slice(0, kept - tail));
    const end = tail === 0 ? "" : text.slice(text.length - tail).replace(/^[\udc00-\udfff]/, "");
    return end === "" ? head : head + ELLIPSIS + end;
  };
  let low = Math.min(text.length, minLength);
  let high = Math.max(low, Math.min(text.length - 1, room));
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (jsonLength(join(middle)) <= room) low = middle;
    else high = middle - 1;
  }
  return { text: join(low), kept: low };
}

/** Without half of a surrogate pair at its end. */
function wholeUnits(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, "");
}

function jsonLength(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}
