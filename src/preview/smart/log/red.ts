const NEWLINE = 10;

/** True when the colour code whose numbers begin at `from` switches to red, in which most tools print what is wrong. */
export function isRed(bytes: Uint8Array, from: number, end: number): boolean {
  for (let index = from; index < from + 8 && index < end; index++) {
    if (bytes[index] === NEWLINE) return false;
    if (bytes[index] !== 109) continue;
    const tens = bytes[index - 2];
    if (bytes[index - 1] !== 49) return false;
    return tens === 51 || tens === 57 || (tens === 59 && bytes[index - 4] === 51 && bytes[index - 3] === 49);
  }
  return false;
}
