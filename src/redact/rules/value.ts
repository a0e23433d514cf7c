import { longRunEnd } from "../byte-class.ts";
import type { View } from "../types.ts";

const QUOTES = new Set([0x22, 0x27, 0x60]);
const BACKSLASH = 0x5c;
const ESCAPE = 0x1b;
const SPACE = 0x20;
const TAB = 0x09;
const AMPERSAND = 0x26;
/** Most blanks between a name, its separator and its value. */
const MOST_BLANKS = 24;

/** A value as it stands after a name: in quotes, or up to where such values end. */
export interface Value {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

export function skipBlanks({ bytes, end }: View, at: number): number {
  let to = at;
  while (to < end && to - at < MOST_BLANKS && (bytes[to] === SPACE || bytes[to] === TAB)) to++;
  return to;
}

/** Passes over colour codes. */
export function skipColor({ bytes, end }: View, at: number): number {
  let to = at;
  while (to + 2 < end && bytes[to] === ESCAPE && bytes[to + 1] === 0x5b) {
    to += 2;
    while (to < end && bytes[to]! < 0x40) to++;
    to++;
  }
  return Math.min(to, end);
}

/** Passes over a quote, also one that is escaped because it stands in a text in quotes. */
export function skipQuote({ bytes, end }: View, at: number): number {
  let to = at;
  while (to < end && bytes[to] === BACKSLASH) to++;
  return to < end && QUOTES.has(bytes[to]!) ? to + 1 : at;
}

/** The value that begins at `at`. */
export function readValue(view: View, at: number): Value {
  const { bytes } = view;
  const start = skipQuote(view, at);
  if (start === at) return { start, end: unquotedEnd(view, start), quoted: false };
  const quote = bytes[start - 1]!;
  const escaped = start - at > 1;
  let to = start;
  while (to < view.end && bytes[to] !== quote) {
    if (bytes[to] === BACKSLASH) {
      if (escaped) break;
      to++;
    }
    to++;
  }
  return { start, end: Math.min(to, view.end), quoted: true };
}

/** Up to a blank, a quote or a character that separates values; brackets that close nothing in it are not part of it. */
function unquotedEnd(view: View, start: number): number {
  const { bytes, end } = view;
  const endsAt = (at: number) => endsValue(bytes[at]!) || (bytes[at] === AMPERSAND && beginsPair(view, at + 1));
  let to = longRunEnd(bytes, start, end, readValue, endsAt);
  const value = bytes.subarray(start, to);
  const opened = new Map<number, boolean>();
  while (to > start) {
    const last = bytes[to - 1]!;
    const opener = CLOSERS.get(last);
    if (opener === undefined && !STOPS.has(last)) break;
    if (opener !== undefined && !opened.has(opener)) opened.set(opener, value.includes(opener));
    if (opener !== undefined && opened.get(opener)) break;
    to--;
  }
  return to;
}

function endsValue(byte: number): boolean {
  return (
    byte <= SPACE ||
    byte === 0x7f ||
    QUOTES.has(byte) ||
    byte === 0x2c ||
    byte === 0x3b ||
    byte === 0x3c ||
    byte === 0x3e ||
    byte === 0x7c ||
    byte === BACKSLASH
  );
}

/** True for `name=`, as in the query of a URL. */
function beginsPair({ bytes, end }: View, at: number): boolean {
  let to = at;
  while (
    to < end &&
    (bytes[to]! >= 0x30 || bytes[to] === 0x2e || bytes[to] === 0x2d) &&
    bytes[to] !== 0x3d &&
    bytes[to]! < 0x7f
  )
    to++;
  return to > at && bytes[to] === 0x3d;
}

const CLOSERS: ReadonlyMap<number, number> = new Map([
  [0x29, 0x28],
  [0x5d, 0x5b],
  [0x7d, 0x7b],
]);
/** Ends of sentences. */
const STOPS = new Set([0x2e, 0x3a]);
