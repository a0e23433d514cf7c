import { isDigit } from "../../../../bytes/is-digit.ts";

const QUOTE = 34;
const PERCENT = 37;
const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const COLON = 58;
const EQUALS = 61;
const LONGEST_UNIT = 3;
const UNIT = /^(?:[kKMGT]?i?[bB](?:\/s|ps)?|[num]?s|min|h)$/;
/** What a hash of bytes is made with. */
export const SEED = 0x811c9dc5 | 0;
export const FACTOR = 0x01000193;
/** In seconds and bytes; any other unit is the only one at its position. The bytes of a unit are its key. */
const UNITS = new Map(
  Object.entries({ ns: 1e-9, us: 1e-6, ms: 1e-3, m: 60, min: 60, h: 3600 }).map(([unit, scale]) => [
    keyOf(unit),
    scale,
  ]),
);
[..."KMGT"].forEach((size, power) => {
  for (const form of ["B", "b", "iB"]) UNITS.set(keyOf(`${size}${form}`), 1024 ** (power + 1));
});
let latestUnit = 0;
let latestScale = 1;

/** 1 for bytes that end a token. */
const ENDS = new Uint8Array(256);
for (const sign of "\t\r :=,;\"'`()[]{}<>|") ENDS[sign.charCodeAt(0)] = 1;

/** Where the token that begins at `start` ends: a word, a number, or a quoted text; `start` itself where none begins. */
export function tokenEnd(bytes: Uint8Array, start: number, end: number): number {
  if (bytes[start] === QUOTE) {
    // What stands in quotes after an equals sign is read word by word.
    if (bytes[start - 1] === EQUALS) return start;
    let close = start + 1;
    while (close < end && bytes[close] !== QUOTE) close++;
    return close < end ? close + 1 : start;
  }
  let at = start;
  for (; at < end; at++) {
    const byte = bytes[at] as number;
    if (ENDS[byte] === 0) continue;
    // A time of day, or a place in a file.
    if (byte !== COLON || at === start || !isDigit(bytes[at - 1]) || at + 1 === end || !isDigit(bytes[at + 1])) break;
  }
  return at;
}

/** Identifies a token. */
export function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = SEED;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), FACTOR);
  return hash;
}

/** The number that a token is, in seconds or bytes if its unit tells; NaN for any other token. */
export function numberOf(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  const negative = bytes[at] === MINUS;
  if (negative) at++;
  if (at === end || !isDigit(bytes[at])) return Number.NaN;
  let number = 0;
  for (; at < end && isDigit(bytes[at]); at++) number = 10 * number + ((bytes[at] as number) - ZERO);
  if (at < end && bytes[at] === POINT) {
    let scale = 1;
    for (at++; at < end && isDigit(bytes[at]); at++) {
      number = 10 * number + ((bytes[at] as number) - ZERO);
      scale *= 10;
    }
    number /= scale;
  }
  if (at < end) number *= scaleOf(bytes, at, end);
  return negative ? -number : number;
}

function scaleOf(bytes: Uint8Array, start: number, end: number): number {
  if (end - start > LONGEST_UNIT) return Number.NaN;
  let unit = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (isDigit(byte) || (byte < 65 && byte !== PERCENT)) return Number.NaN;
    unit = (unit << 8) | byte;
  }
  if (unit === latestUnit) return latestScale;
  latestUnit = unit;
  latestScale = UNITS.get(unit) ?? 1;
  return latestScale;
}

function keyOf(unit: string): number {
  let key = 0;
  for (let at = 0; at < unit.length; at++) key = (key << 8) | unit.charCodeAt(at);
  return key;
}

/** True for a token that begins as a number and is none: a time, a date, an address, a version, an id. */
export function isTime(bytes: Uint8Array, start: number, end: number): boolean {
  return isDigit(bytes[start]) && Number.isNaN(numberOf(bytes, start, end));
}

/** True for a unit of sizes or times that stands apart from its number. */
export function isUnit(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start <= 5 && UNIT.test(String.fromCharCode(...bytes.subarray(start, end)));
}

/** As days and months are written: `Sat`, `Jun`. */
export function isShortName(bytes: Uint8Array, start: number, end: number): boolean {
  const first = bytes[start] as number;
  return end - start === 3 && first >= 65 && first <= 90 && (bytes[start + 1] as number) >= 97;
}
