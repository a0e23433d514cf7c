import { isContinuation } from "../bytes/utf8.ts";

const ESCAPE = 0x1b;
/** Longest escape sequence that a cut steps out of. */
const ESCAPE_REACH = 24;

/** The largest offset <= `at` that splits neither a code point nor an escape sequence. */
export function safeCut(bytes: Uint8Array, at: number): number {
  let cut = Math.max(0, Math.min(at, bytes.length));
  const lowest = Math.max(0, cut - ESCAPE_REACH);
  for (let index = cut - 1; index >= lowest; index--) {
    if (bytes[index] !== ESCAPE) continue;
    if (!isWholeEscape(bytes.subarray(index, cut))) cut = index;
    break;
  }
  for (let back = 0; back < 3 && cut > 0 && isContinuation(bytes[cut]); back++) cut--;
  return cut;
}

function isWholeEscape(sequence: Uint8Array): boolean {
  if (sequence.length < 2) return false;
  if (sequence[1] !== 0x5b) return true;
  for (let index = 2; index < sequence.length; index++) {
    const byte = sequence[index]!;
    if (byte >= 0x40 && byte <= 0x7e) return true;
  }
  return false;
}
