import { ALNUM, isOf } from "../byte-class.ts";
import type { View } from "../types.ts";

const ESCAPE = 0x1b;
const BACKSLASH = 0x5c;
const PERCENT = 0x25;
/** Longest colour code that is looked for. */
const CODE_BYTES = 16;

/** True where a word begins; what an escape ends with (`\n` or `\u003c` in JSON, `%3D`, a colour code) is no part of a word. */
export function beginsWord({ bytes, floor }: View, at: number, within: number = ALNUM): boolean {
  if (at <= floor || !isOf(bytes[at - 1], within)) return true;
  const last = bytes[at - 1];
  if (at - 2 >= floor && bytes[at - 2] === BACKSLASH && (last === 0x6e || last === 0x72 || last === 0x74)) return true;
  if (at - 3 >= floor && bytes[at - 3] === PERCENT) return true;
  if (at - 6 >= floor && bytes[at - 6] === BACKSLASH && bytes[at - 5] === 0x75) return true;
  return last === 0x6d && endsColor(bytes, at - 1, floor);
}

function endsColor(bytes: Uint8Array, end: number, floor: number): boolean {
  for (let at = end - 1; at >= floor && at > end - CODE_BYTES; at--) {
    if (bytes[at] === ESCAPE) return true;
    if (bytes[at] !== 0x5b && bytes[at] !== 0x3b && !(bytes[at]! >= 0x30 && bytes[at]! <= 0x39)) return false;
  }
  return false;
}
