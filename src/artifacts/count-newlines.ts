const NEWLINES = 0x0a0a0a0a;
const LOW_BITS = 0x7f7f7f7f;
const ONES = 0x01010101;
const NO_WORDS = new Uint32Array(0);

/** How many newline bytes stand in `bytes`; four bytes at a time. */
export function countNewlines(bytes: Uint8Array): number {
  const { buffer, byteOffset, byteLength } = bytes;
  const aligned = Math.min((4 - (byteOffset & 3)) & 3, byteLength);
  const wordCount = (byteLength - aligned) >>> 2;
  let count = 0;
  for (let at = 0; at < aligned; at++) if (bytes[at] === 10) count++;
  const words = wordCount === 0 ? NO_WORDS : new Uint32Array(buffer, byteOffset + aligned, wordCount);
  let word = 0;
  while (word < wordCount) {
    // Each byte of `sums` counts one lane; after 255 words it could overflow.
    const stop = Math.min(wordCount, word + 255);
    let sums = 0;
    for (; word < stop; word++) {
      const difference = (words[word] as number) ^ NEWLINES;
      const nonZero = ((difference & LOW_BITS) + LOW_BITS) | difference;
      sums += (~nonZero >>> 7) & ONES;
    }
    count += (sums & 255) + ((sums >>> 8) & 255) + ((sums >>> 16) & 255) + (sums >>> 24);
  }
  for (let at = aligned + wordCount * 4; at < byteLength; at++) if (bytes[at] === 10) count++;
  return count;
}
