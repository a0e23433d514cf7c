const HIGH_BITS = 0x80808080;
/** A shorter range is looked at byte by byte. */
const LEAST_WORDS_BYTES = 48;

/** Index of the first byte from `from` on that is not ASCII; `to` if there is none. */
export function asciiEnd(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  if (to - from >= LEAST_WORDS_BYTES) {
    for (; ((bytes.byteOffset + at) & 3) !== 0; at++) if ((bytes[at] as number) >= 0x80) return at;
    at += asciiWords(new Int32Array(bytes.buffer, bytes.byteOffset + at, (to - at) >> 2));
  }
  while (at < to && (bytes[at] as number) < 0x80) at++;
  return at;
}

/** Bytes in front of the first sixteen that are not all ASCII. A loop of its own, so that it is optimized alone. */
function asciiWords(words: Int32Array): number {
  const last = words.length - 3;
  let at = 0;
  for (; at < last; at += 4) {
    const four =
      (words[at] as number) | (words[at + 1] as number) | (words[at + 2] as number) | (words[at + 3] as number);
    if ((four & HIGH_BITS) !== 0) break;
  }
  return 4 * at;
}
