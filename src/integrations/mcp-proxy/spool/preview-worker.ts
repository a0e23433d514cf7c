import { parentPort } from "node:worker_threads";
import { createAccumulator } from "../../../preview/accumulator.ts";
import type { Accumulator } from "../../../preview/types.ts";
import type { FromPreviewWorker, ToPreviewWorker } from "./preview-thread.ts";

const accumulators = new Map<number, Accumulator>();

function reply(message: FromPreviewWorker, transfer: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, [...transfer]);
}

parentPort?.on("message", (message: ToPreviewWorker) => {
  const { slot } = message;
  const accumulator = accumulators.get(slot);
  switch (message.op) {
    case "open":
      accumulators.set(slot, createAccumulator(message.options));
      break;
    case "write":
      accumulator?.write(new Uint8Array(message.buffer, 0, message.bytes));
      reply({ op: "consumed", slot, buffer: message.buffer }, [message.buffer]);
      break;
    case "finish":
      accumulators.delete(slot);
      if (accumulator) {
        const preview = accumulator.finish(message.options);
        reply({ op: "finished", slot, preview });
      }
      break;
    case "drop":
      accumulators.delete(slot);
      break;
  }
});
