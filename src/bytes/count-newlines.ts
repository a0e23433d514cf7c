import { assembleNewlineCounter } from "./assembled-scanners.ts";
import { SCAN_BYTES, STEP } from "./scan-steps.ts";
import { startAssembled } from "./webassembly.ts";

const NEWLINE = 0x0a;
const NEWLINES = 0x0a0a0a0a;
const LOW_BITS = 0x7f7f7f7f;
const ONES = 0x01010101;
const NO_WORDS = new Uint32Array(0);

/** From here on a copy into the compiled counter's memory is worth it. */
const COMPILED_FROM_BYTES = 8 * 1024;

/** The best there is for many bytes, made with its first use. */
let countMany: ((bytes: Uint8Array) => number) | undefined;

/** How many newline bytes stand in `bytes`. */
export function countNewlines(bytes: Uint8Array): number {
  if (bytes.length < COMPILED_FROM_BYTES) return countPlainly(bytes);
  countMany ??= compile() ?? countPlainly;
  return countMany(bytes);
}

/** Lines of a text; a final newline does not open another one. */
export function countLines(text: string): number {
  if (text === "") return 0;
  let lines = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

/** Offsets at which the lines of `bytes` start; a final newline opens no line. */
export function lineStarts(bytes: Uint8Array): number[] {
  const starts: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    starts.push(at);
    const newline = bytes.indexOf(NEWLINE, at);
    if (newline === -1) break;
    at = newline + 1;
  }
  return starts;
}

function compile(): typeof countMany {
  const module = startAssembled(assembleNewlineCounter());
  if (module === undefined) return undefined;
  const memory = new Uint8Array(module.memory.buffer);
  return (bytes) => {
    let count = 0;
    let at = 0;
    for (let size = 0; bytes.length - at >= STEP; at += size) {
      const room = Math.min(bytes.length - at, SCAN_BYTES);
      size = room - (room % STEP);
      memory.set(bytes.subarray(at, at + size));
      count += module.run(0, size);
    }
    return count + countPlainly(bytes.subarray(at));
  };
}

/** Four bytes at a time. */
function countPlainly(bytes: Uint8Array): number {
  const { buffer, byteOffset, byteLength } = bytes;
  const aligned = Math.min((4 - (byteOffset & 3)) & 3, byteLength);
  const wordCount = (byteLength - aligned) >>> 2;
  let count = 0;
  for (let at = 0; at < aligned; at++) if (bytes[at] === NEWLINE) count++;
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
  for (let at = aligned + wordCount * 4; at < byteLength; at++) if (bytes[at] === NEWLINE) count++;
  return count;
}
