/** Kinds of bytes, one bit each, so that a set of kinds is a mask. */
export const LOWER = 1;
export const UPPER = 2;
export const DIGIT = 4;
/** `a` to `f` in either case. */
export const HEX_LETTER = 8;
/** `_` and `-`. */
export const DASH = 16;
export const DOT = 32;
/** `+` and `/`. */
export const PLUS_SLASH = 64;
export const EQUALS = 128;

export const LETTER = LOWER | UPPER;
export const ALNUM = LETTER | DIGIT;
export const WORD = ALNUM | DASH;
export const HEX = DIGIT | HEX_LETTER;
export const BASE64 = ALNUM | PLUS_SLASH | EQUALS;

const KINDS = new Uint8Array(256);
for (let byte = 0x61; byte <= 0x7a; byte++) KINDS[byte] = LOWER | (byte <= 0x66 ? HEX_LETTER : 0);
for (let byte = 0x41; byte <= 0x5a; byte++) KINDS[byte] = UPPER | (byte <= 0x46 ? HEX_LETTER : 0);
for (let byte = 0x30; byte <= 0x39; byte++) KINDS[byte] = DIGIT;
KINDS[0x5f] = KINDS[0x2d] = DASH;
KINDS[0x2e] = DOT;
KINDS[0x2b] = KINDS[0x2f] = PLUS_SLASH;
KINDS[0x3d] = EQUALS;

/** True when the byte is of one of the kinds; false beyond the end. */
export function isOf(byte: number | undefined, kinds: number): boolean {
  return byte !== undefined && (KINDS[byte]! & kinds) !== 0;
}

/** Where the run of such bytes that begins at `at` ends, at most at `end`. */
export function runEnd(bytes: Uint8Array, at: number, end: number, kinds: number): number {
  let to = at;
  while (to < end && (KINDS[bytes[to]!]! & kinds) !== 0) to++;
  return to;
}

/** The last long run of each kind: many places in one run ask for its end. */
const longRuns = new Map<unknown, { readonly bytes: Uint8Array; readonly from: number; readonly to: number }>();

/** To be called before other bytes are looked at. */
export function forgetRuns(): void {
  longRuns.clear();
}

/** Where a run that includes `at` ends, at most at `end`; remembers its end by `key`. `stops` tells what ends it. */
export function longRunEnd(
  bytes: Uint8Array,
  at: number,
  end: number,
  key: unknown,
  stops: (at: number) => boolean,
): number {
  const known = longRuns.get(key);
  const isWithin = known?.bytes === bytes && known.from <= at && at <= known.to;
  let to = isWithin ? Math.min(known.to, end) : at;
  if (isWithin && to < known.to) return to;
  while (to < end && !stops(to)) to++;
  longRuns.set(key, { bytes, from: isWithin ? known.from : at, to });
  return to;
}

/** Where the run of such bytes that ends before `at` begins, at least at `floor`. */
export function runStart(bytes: Uint8Array, at: number, floor: number, kinds: number): number {
  let from = at;
  while (from > floor && (KINDS[bytes[from - 1]!]! & kinds) !== 0) from--;
  return from;
}

/** True when the text, which is ASCII, stands at `at`. */
export function stands(bytes: Uint8Array, at: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) if (bytes[at + index] !== text.charCodeAt(index)) return false;
  return true;
}

/** The same for a text in lower case that may stand in any. */
export function standsInAnyCase(bytes: Uint8Array, at: number, lower: string): boolean {
  for (let index = 0; index < lower.length; index++) {
    const byte = bytes[at + index]!;
    const folded = byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte;
    if (folded !== lower.charCodeAt(index)) return false;
  }
  return true;
}
