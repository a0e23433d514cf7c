import { isShortName } from "./outliers/token.ts";

const TOKENS = 12;
const BYTES = 240;
const SPACE = 32;
const TAB = 9;
const STAR = 42;

/**
 * Identifies what kind of event a row of a log tells of, without decoding it: its first words, where each word with a
 * digit, a path or an assignment counts as any other such, and so do names of days and months.
 */
export function eventKindOf(bytes: Uint8Array, start: number, end: number): number {
  const to = Math.min(end, start + BYTES);
  let hash = 0x811c9dc5;
  let tokens = 0;
  let at = start;
  while (at < to && tokens < TOKENS) {
    while (at < to && isBlank(bytes[at] as number)) at++;
    const from = at;
    let word = hash;
    let varies = false;
    for (; at < to; at++) {
      const byte = bytes[at] as number;
      if (isBlank(byte)) break;
      if ((byte >= 47 && byte <= 57) || byte === 61) varies = true;
      word = Math.imul(word ^ byte, 0x01000193);
    }
    if (at === from) break;
    hash = varies || isShortName(bytes, from, at) ? Math.imul(hash ^ STAR, 0x01000193) : word;
    hash = Math.imul(hash ^ SPACE, 0x01000193);
    tokens++;
  }
  return hash;
}

function isBlank(byte: number): boolean {
  return byte === SPACE || (byte >= TAB && byte <= 13);
}
