import { DIGIT, isOf, LOWER, UPPER } from "../byte-class.ts";

const counts = new Uint16Array(256);

/** Shannon's entropy of the bytes, in bits for each of them. */
export function entropyOf(bytes: Uint8Array, from: number, to: number): number {
  counts.fill(0);
  for (let at = from; at < to; at++) counts[bytes[at]!]!++;
  const length = to - from;
  let bits = 0;
  for (let at = from; at < to; at++) {
    const count = counts[bytes[at]!]!;
    if (count === 0) continue;
    bits -= (count / length) * Math.log2(count / length);
    counts[bytes[at]!] = 0;
  }
  return bits;
}

/** True when there are at least so many different bytes. */
export function isVaried(bytes: Uint8Array, from: number, to: number, least: number): boolean {
  let different = 0;
  counts.fill(0);
  for (let at = from; at < to && different < least; at++) if (counts[bytes[at]!]!++ === 0) different++;
  return different >= least;
}

/** True when the bytes have a letter and a digit, or letters in both cases. */
export function isMixed(bytes: Uint8Array, from: number, to: number): boolean {
  const kinds = kindsIn(bytes, from, to);
  return kinds.digits > 0 ? kinds.lower + kinds.upper > 0 : kinds.lower > 0 && kinds.upper > 0;
}

/** How many bytes there are of each kind. */
export interface KindCounts {
  readonly lower: number;
  readonly upper: number;
  readonly digits: number;
  /** Whatever is neither letter nor digit. */
  readonly others: number;
}

export function kindsIn(bytes: Uint8Array, from: number, to: number): KindCounts {
  let lower = 0;
  let upper = 0;
  let digits = 0;
  let others = 0;
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    if (isOf(byte, LOWER)) lower++;
    else if (isOf(byte, UPPER)) upper++;
    else if (isOf(byte, DIGIT)) digits++;
    else others++;
  }
  return { lower, upper, digits, others };
}
