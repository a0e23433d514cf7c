import { readSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { DigestBuilder } from "../digest.ts";
import type { FromDigestWorker, StartDigestWorker, ToDigestWorker } from "./digest-thread.ts";

const { fd, writtenBytes, memory, blockBytes } = workerData as StartDigestWorker;
const builder = new DigestBuilder();

const early = new Uint8Array(Math.min(blockBytes, writtenBytes));
for (let at = 0; at < writtenBytes; ) {
  const count = readSync(fd, early, 0, Math.min(early.length, writtenBytes - at), at);
  if (count === 0) throw new Error("the artifact became shorter while it was written");
  builder.add(early.subarray(0, count));
  at += count;
}

function answer(message: ToDigestWorker): FromDigestWorker {
  if (message === "finish") return { digest: builder.finish() };
  builder.add(new Uint8Array(memory, message.block * blockBytes, message.used));
  return { block: message.block };
}

parentPort?.on("message", (message: ToDigestWorker) => parentPort?.postMessage(answer(message)));
