import { BASE64, EQUALS, isOf, LOWER, runEnd, runStart, UPPER } from "../byte-class.ts";
import type { View } from "../types.ts";
import type { Value } from "./value.ts";

/** Characters that stand for three bytes. */
export const GROUP = 4;
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUES = new Uint8Array(256);
for (let index = 0; index < DIGITS.length; index++) VALUES[DIGITS.charCodeAt(index)] = index;

const LEAST_TEXT = 8;
const MOST_TEXT = 4096;
/** Texts in base64 are broken into lines of so many characters. */
const LEAST_WRAPPED = 60;
const MOST_WRAPPED = 100;
const NEWLINE = 10;
const RETURN = 13;

/** True for base64 of a text of a few characters, which no word and no name is by chance. */
export function holdsText(bytes: Uint8Array, { start, end }: Value): boolean {
  const length = end - start;
  if (length % GROUP !== 0 || length < LEAST_TEXT || length > MOST_TEXT) return false;
  const run = runEnd(bytes, start, end, BASE64 & ~EQUALS);
  if (run < end - 2 || runEnd(bytes, run, end, EQUALS) !== end) return false;
  let kinds = 0;
  for (let at = start; at < run; at++) kinds |= isOf(bytes[at], LOWER) ? LOWER : isOf(bytes[at], UPPER) ? UPPER : 0;
  return kinds === (LOWER | UPPER) && decode(bytes.subarray(start, run)).every(isPrintable);
}

function isPrintable(byte: number): boolean {
  return (byte >= 0x20 && byte < 0x7f) || byte === NEWLINE || byte === RETURN || byte === 0x09;
}

/** The bytes that characters of base64 stand for; what is too little for a byte is left out. */
export function decode(characters: Uint8Array): Uint8Array {
  const out = new Uint8Array((characters.length * 3) >> 2);
  let bits = 0;
  let count = 0;
  let to = 0;
  for (const character of characters) {
    bits = ((bits << 6) | VALUES[character]!) & 0xffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out[to++] = bits >> count;
  }
  return out;
}

/** Characters of base64 that belong together, also over lines, and where each of them stands. */
export interface EncodedRun {
  readonly characters: Uint8Array;
  readonly places: Uint32Array;
  /** True when it may go on after the view. */
  readonly open: boolean;
}

/** The run from a place in it on, of `most` characters at most. */
export function encodedRun(view: View, at: number, most: number): EncodedRun {
  const { bytes, end } = view;
  const characters = new Uint8Array(Math.min(most, end - at));
  const places = new Uint32Array(characters.length);
  let count = 0;
  let from = at;
  let lineStart = runStart(bytes, at, Math.max(view.floor, at - MOST_WRAPPED), BASE64);
  for (;;) {
    const to = runEnd(bytes, from, Math.min(end, from + most - count), BASE64 & ~EQUALS);
    for (; from < to; from++, count++) {
      characters[count] = bytes[from]!;
      places[count] = from;
    }
    const next = count < most ? wrappedAt(view, lineStart, to) : undefined;
    if (typeof next !== "number") {
      const open = next === "open" || (to === end && count < most);
      return { characters: characters.subarray(0, count), places: places.subarray(0, count), open };
    }
    from = lineStart = next;
  }
}

/** Where the next line of a text in lines begins, when the line that ends at `to` is a full one and the next one is of the text. */
function wrappedAt({ bytes, end }: View, lineStart: number, to: number): number | "open" | undefined {
  const length = to - lineStart;
  if (length < LEAST_WRAPPED || length >= MOST_WRAPPED || length % GROUP !== 0) return undefined;
  if (to >= end) return "open";
  let next = to;
  if (bytes[next] === RETURN) next++;
  if (next >= end) return "open";
  if (bytes[next] !== NEWLINE) return undefined;
  next++;
  while (next < end && (bytes[next] === 0x20 || bytes[next] === 0x09)) next++;
  const run = runEnd(bytes, next, end, BASE64);
  if (run === end) return "open";
  return run > next && (bytes[run] === NEWLINE || bytes[run] === RETURN) ? next : undefined;
}
