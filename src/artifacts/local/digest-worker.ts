import { readSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { DigestBuilder } from "../digest.ts";
import type { FromDigestWorker, StartDigestWorker, ToDigestWorker } from "./digest-thread.ts";

const { fd, memory, blockBytes } = workerData as StartDigestWorker;
const builder = new DigestBuilder();

function addStored(bytes: number): void {
  const buffer = new Uint8Array(Math.min(blockBytes, bytes));
  for (let at = 0; at < bytes; ) {
    const count = readSync(fd, buffer, 0, Math.min(buffer.length, bytes - at), at);
    if (count === 0) throw new Error("the artifact became shorter while it was written");
    builder.add(buffer.subarray(0, count));
    at += count;
  }
}

function answer(message: Exclude<ToDigestWorker, { readonly storedBytes: number }>): FromDigestWorker {
  if (message === "finish") return { digest: builder.finish() };
  builder.add(new Uint8Array(memory, message.block * blockBytes, message.used));
  return { block: message.block };
}

parentPort?.on("message", (message: ToDigestWorker) => {
  if (typeof message === "object" && "storedBytes" in message) addStored(message.storedBytes);
  else parentPort?.postMessage(answer(message));
});
parentPort?.postMessage("ready" satisfies FromDigestWorker);
