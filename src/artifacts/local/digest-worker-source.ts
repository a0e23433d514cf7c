/**
 * The digest worker as plain JavaScript, evaluated by `new Worker(…, { eval: true })`: so it needs no file of its own
 * beside the bundle. It computes what `DigestBuilder` computes; a test holds the two together.
 */
export const DIGEST_WORKER_SOURCE = `
"use strict";
const { parentPort, workerData } = require("node:worker_threads");
const { createHash } = require("node:crypto");
const { readSync } = require("node:fs");
const { fd, writtenBytes, memory, counterHex, blockBytes, stride } = workerData;
const shared = new Uint8Array(memory.buffer);
const hash = createHash("sha256");
const checkpoints = [0];
let newlines = 0, bytes = 0, lastByte = 10;

let countFast;
try {
  const module = new WebAssembly.Module(Buffer.from(counterHex, "hex"));
  countFast = new WebAssembly.Instance(module, { e: { m: memory } }).exports.c;
} catch {}

function countNewlines(chunk, start, end) {
  let count = 0, at = start;
  if (countFast !== undefined && chunk.buffer === memory.buffer && end - start >= 16) {
    const size = (end - start) & ~15;
    const from = chunk.byteOffset + start;
    count = countFast(from, from + size);
    at += size;
  }
  for (; at < end; at++) if (chunk[at] === 10) count++;
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
