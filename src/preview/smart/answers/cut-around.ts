import { byteLength } from "../../../bytes/utf8.ts";
import type { AskedName } from "../../../query/asked-names.ts";
import { cleanLine } from "../../clean.ts";
import { cutRow } from "../log/cut-row.ts";
import type { Row } from "../log/row.ts";

/** The row itself or, when it is longer than `maxChars`, the part of it in which most names stand. */
export function cutAround(row: Row, names: readonly AskedName[], maxChars: number): Row {
  if (row.raw.length <= maxChars) return row;
  // Bytes that are no text decode to a replacement of another length: then no place inside the row is exact.
  if (row.raw.includes("\ufffd")) return cutRow(row, maxChars);
  const from = boundary(row.raw, windowStart(placesOf(row.raw.toLowerCase(), names), row.raw.length, maxChars));
  const to = boundary(row.raw, Math.min(row.raw.length, from + maxChars));
  const raw = row.raw.slice(from, to);
  const atEnd = to === row.raw.length;
  const skippedBytes = byteLength(row.raw.slice(0, from));
  const newline = row.chars - row.raw.length;
  return {
    ...row,
    byte: row.byte + skippedBytes,
    char: row.char + from,
    bytes: byteLength(raw) + (atEnd ? newline : 0),
    chars: raw.length + (atEnd ? newline : 0),
    raw,
    text: cleanLine(raw),
    ascii: false,
    inLine: row.inLine || from > 0,
    continues: row.continues || !atEnd,
  };
}

function placesOf(lower: string, names: readonly AskedName[]): number[] {
  return names
    .filter((name) => name.weight >= 1)
    .flatMap(({ text, parts }) => {
      const whole = lower.indexOf(text.toLowerCase());
      return whole >= 0 ? [whole] : parts.map((part) => lower.indexOf(part)).filter((at) => at >= 0);
    })
    .sort((a, b) => a - b);
}

/** Where a window begins that holds as many places as can be, with something before the first. */
function windowStart(places: readonly number[], length: number, size: number): number {
  let best = 0;
  let most = 0;
  places.forEach((place, index) => {
    const held = places.filter((other) => other >= place && other < place + size * 0.7).length;
    if (held > most) {
      most = held;
      best = places[index] as number;
    }
  });
  return Math.max(0, Math.min(best - Math.floor(size * 0.2), length - size));
}

function boundary(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff && index > 0 ? index - 1 : index;
}
