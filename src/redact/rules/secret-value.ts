import { ALNUM, DASH, DIGIT, DOT, HEX, isOf, LETTER, LOWER, runEnd, UPPER } from "../byte-class.ts";
import { entropyOf, kindsIn } from "./entropy.ts";
import { isStandIn } from "./stand-in.ts";
import type { Value } from "./value.ts";
import { isNoWord } from "./word-like.ts";

const LEAST_PASSWORD = 6;
/** A shorter number in hexadecimal is an address or a constant. */
const LEAST_KEY = 66;
const LEAST_RANDOM = 10;
const MOST_BYTES = 4096;
const PASSWORD_BITS = 2.5;
const RANDOM_BITS = 3;
/** A text of letters alone is long before it is random. */
const LEAST_LETTERS = 16;
const RANDOM_CHANGES = 0.35;
/** Names of several parts have more signs between them. */
const MOST_SIGNS = 2;
/** A part of a name has no more letters and digits in a row; parts of random texts do. */
const LONGEST_PART = 8;

/** True for a value that a person may have chosen as a password, and that is no word, path or code. */
export function looksLikePassword(bytes: Uint8Array, { start, end, quoted }: Value): boolean {
  const length = end - start;
  if (!quoted && isCode(bytes, start, end)) return false;
  if (length < LEAST_PASSWORD || length > MOST_BYTES || isElsewhere(bytes, start, end)) return false;
  const { lower, upper, digits, others } = kindsIn(bytes, start, end);
  if (lower + upper === 0) return false;
  const symbol = hasSymbol(bytes, start, end);
  if (digits === 0 && !symbol && !isJumbled(bytes, start, end) && !isNoWord(bytes, start, end)) return false;
  if (!symbol && bytes.subarray(start, end).includes(SLASH)) return false;
  if (others > 0 && isDotted(bytes, start, end)) return false;
  return entropyOf(bytes, start, end) >= PASSWORD_BITS;
}

/** True for a value that a program made at random. */
export function looksRandom(bytes: Uint8Array, { start, end, quoted }: Value): boolean {
  const length = end - start;
  if (!quoted && isCode(bytes, start, end)) return false;
  if (length < LEAST_RANDOM || length > MOST_BYTES || isElsewhere(bytes, start, end)) return false;
  const { lower, upper, digits, others } = kindsIn(bytes, start, end);
  if (lower + upper === 0) return false;
  if (runEnd(bytes, start, end, HEX) === end) return length >= 16 && digits >= 3 && length - digits >= 3;
  if (isDotted(bytes, start, end) || entropyOf(bytes, start, end) < RANDOM_BITS) return false;
  if (lower > 0 && upper > 0 && digits >= 2 && others === 0) return true;
  if (length >= LEAST_LETTERS && isJumbled(bytes, start, end)) return true;
  if (others <= MOST_SIGNS && isNoWord(bytes, start, end)) return true;
  return digits >= 3 && hasRandomPart(bytes, start, end);
}

/** True when the case changes more often than in a name of several words, and not only for a word's first letter. */
function isJumbled(bytes: Uint8Array, start: number, end: number): boolean {
  let changes = 0;
  let pairs = 0;
  for (let at = start + 1; at < end; at++) {
    const [now, before] = [isOf(bytes[at], UPPER), isOf(bytes[at - 1], UPPER)];
    if (now && before) pairs++;
    if (now !== before || isOf(bytes[at], DIGIT) !== isOf(bytes[at - 1], DIGIT)) changes++;
  }
  return pairs > 0 && changes > (end - start) * RANDOM_CHANGES;
}

/** A call, a member that may be missing, a negation, a number in hexadecimal: what stands in programs without quotes. */
function isCode(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (bytes[at] === EXCLAMATION) at++;
  if (bytes[at] === ZERO && (bytes[at + 1]! | 0x20) === 0x78 && runEnd(bytes, at + 2, end, HEX) === end)
    return end - at < LEAST_KEY;
  const name = runEnd(bytes, at, end, ALNUM | DASH | DOT);
  if (at > start && name === end) return true;
  return (
    name > at &&
    name < end &&
    (bytes[name] === PARENTHESIS || (bytes[name] === QUESTION && bytes[name + 1] === FULL_STOP))
  );
}

/** A stand-in, a place or a sentence. */
function isElsewhere(bytes: Uint8Array, start: number, end: number): boolean {
  if (isPath(bytes, start, end)) return true;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte <= 0x20 || byte >= 0x7f) return true;
    if (byte === COLON && bytes[at + 1] === SLASH && bytes[at + 2] === SLASH) return true;
  }
  return isStandIn(bytes, start, end);
}

/** `/usr/…`, `./…`, `../…`, `~/…`. */
function isPath(bytes: Uint8Array, start: number, end: number): boolean {
  let at = start;
  while (at < end && (bytes[at] === FULL_STOP || bytes[at] === TILDE)) at++;
  if (bytes[at] !== SLASH) return false;
  const part = runEnd(bytes, at + 1, end, LOWER | UPPER | DASH | DOT);
  return at > start || (part > at + 1 && (part === end || bytes[part] === SLASH));
}

const SLASH = 0x2f;
const EXCLAMATION = 0x21;
const PARENTHESIS = 0x28;
const QUESTION = 0x3f;
const ZERO = 0x30;
const TILDE = 0x7e;
const FULL_STOP = 0x2e;
const COLON = 0x3a;
const SYMBOLS = new Set([..."!@#$%^&*+=?~"].map((symbol) => symbol.charCodeAt(0)));

function hasSymbol(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (SYMBOLS.has(bytes[at]!)) return true;
  return false;
}

/** `config.password`, `file.json`, `1.2.3`: parts that are each short, joined by full stops. */
function isDotted(bytes: Uint8Array, start: number, end: number): boolean {
  let parts = 0;
  for (let at = start; at < end; ) {
    const to = runEnd(bytes, at, end, ALNUM | DASH);
    if (to - at > 20 || (to < end && bytes[to] !== FULL_STOP)) return false;
    parts++;
    at = to + 1;
  }
  return parts > 1;
}

/** True when letters and digits alternate within one long part. */
function hasRandomPart(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; ) {
    const to = runEnd(bytes, at, end, ALNUM);
    if (to - at >= LONGEST_PART) {
      let changes = 0;
      for (let index = at + 1; index < to; index++) {
        if (isOf(bytes[index], DIGIT) !== isOf(bytes[index - 1], DIGIT)) changes++;
      }
      if (changes >= 2 && isOf(bytes[at], LETTER | DIGIT)) return true;
    }
    at = to + 1;
  }
  return false;
}
