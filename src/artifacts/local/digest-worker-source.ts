/**
 * The digest worker as plain JavaScript, evaluated by `new Worker(…, { eval: true })`: so it needs no file of its own
 * beside the bundle. It computes what `DigestBuilder` computes; a test holds the two together.
 */
export const DIGEST_WORKER_SOURCE = `
"use strict";
const { parentPort, workerData } = require("node:worker_threads");
const { createHash } = require("node:crypto");
const { readSync } = require("node:fs");
const { fd, writtenBytes, memory, blockBytes, stride } = workerData;
const shared = new Uint8Array(memory);
const hash = createHash("sha256");
const checkpoints = [0];
let newlines = 0, bytes = 0, lastByte = 10;

function countNewlines(chunk, start, end) {
  let count = 0, at = start;
  while (at < end && ((chunk.byteOffset + at) & 3) !== 0) if (chunk[at++] === 10) count++;
  const wordCount = (end - at) >>> 2;
  const words = new Uint32Array(chunk.buffer, chunk.byteOffset + at, wordCount);
  for (let word = 0; word < wordCount; ) {
    const stop = Math.min(wordCount, word + 255);
    let sums = 0;
    for (; word < stop; word++) {
      const difference = words[word] ^ 0x0a0a0a0a;
      const nonZero = ((difference & 0x7f7f7f7f) + 0x7f7f7f7f) | difference;
      sums += (~nonZero >>> 7) & 0x01010101;
    }
    count += (sums & 255) + ((sums >>> 8) & 255) + ((sums >>> 16) & 255) + (sums >>> 24);
  }
  for (at += wordCount * 4; at < end; at++) if (chunk[at] === 10) count++;
  return count;
}

function add(chunk) {
  hash.update(chunk);
  for (let start = 0; start < chunk.length; ) {
    const room = stride - (bytes % stride);
    const end = Math.min(chunk.length, start + room);
    newlines += countNewlines(chunk, start, end);
    bytes += end - start;
    if (end - start === room) checkpoints.push(newlines);
    start = end;
  }
  if (chunk.length > 0) lastByte = chunk[chunk.length - 1];
}

const early = new Uint8Array(Math.min(stride, writtenBytes));
while (bytes < writtenBytes) {
  const count = readSync(fd, early, 0, Math.min(early.length, writtenBytes - bytes), bytes);
  if (count === 0) throw new Error("the artifact became shorter while it was written");
  add(early.subarray(0, count));
}

parentPort.on("message", (message) => {
  if (message.finish) {
    const newlinesBefore = Float64Array.from(checkpoints);
    const index = { newlinesBefore, newlines, bytes, lines: newlines + (lastByte === 10 ? 0 : 1) };
    parentPort.postMessage({ digest: { sha256: hash.digest("hex"), index } });
  } else {
    const start = message.block * blockBytes;
    add(shared.subarray(start, start + message.used));
    parentPort.postMessage({ block: message.block });
  }
});
`;
