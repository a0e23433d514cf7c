/** 10 to the power of the index, all of them exact. */
const POWERS = Array.from({ length: 16 }, (_, power) => 10 ** power);
/** So many digits are a whole number that is exact. */
const MOST_DIGITS = 15;
const POINT = 46;

/** The number that stands in these bytes, if it is a plain decimal of a few digits; else NaN. */
export function decimalAt(bytes: Uint8Array, from: number, to: number): number {
  if (to - from > MOST_DIGITS) return Number.NaN;
  let whole = 0;
  let point = -1;
  for (let at = from; at < to; at++) {
    const digit = (bytes[at] as number) ^ 48;
    if (digit < 10) whole = whole * 10 + digit;
    else if (bytes[at] === POINT && point < 0 && at > from && at < to - 1) point = at;
    else return Number.NaN;
  }
  if (from === to) return Number.NaN;
  // Both are exact, so that their quotient is the nearest there is, as it is where a text is read.
  return point < 0 ? whole : whole / (POWERS[to - 1 - point] as number);
}
