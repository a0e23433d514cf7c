import { parentPort, workerData } from "node:worker_threads";
import { boundSpooled } from "../bound/bound-message.ts";
import { createProxyGate } from "../proxy-gate.ts";
import { beginEarly } from "./early-text.ts";
import { SpoolFile } from "./spool-file.ts";
import type { SpooledMessage } from "./spooled-message.ts";
import { type FromWorker, type ToWorker, WINDOW_BYTES, type WorkerData } from "./worker-messages.ts";

/** A small part of what may be on its way. */
const ACKNOWLEDGED_BYTES = WINDOW_BYTES / 8;

const { spool, spillway: spillwayOptions } = workerData as WorkerData;
const spillway = createProxyGate(spillwayOptions);
const files = new Map<number, SpoolFile>();
const messages = new Map<number, SpooledMessage>();
const unacknowledged = new Map<number, number>();

function reply(message: FromWorker): void {
  parentPort?.postMessage(message);
}

/** Says how much was written, but not for every chunk. */
function acknowledge(slot: number, bytes: number): void {
  const written = (unacknowledged.get(slot) ?? 0) + bytes;
  unacknowledged.set(slot, written < ACKNOWLEDGED_BYTES ? written : 0);
  if (written >= ACKNOWLEDGED_BYTES) reply({ op: "written", slot, bytes: written });
}

async function end(slot: number): Promise<void> {
  const outcome = await files.get(slot)!.finish();
  files.delete(slot);
  unacknowledged.delete(slot);
  if (outcome.kind !== "message") {
    reply(
      outcome.kind === "garbage" ? { op: "garbage", slot, bytes: outcome.bytes } : { ...outcome, op: "refused", slot },
    );
    return;
  }
  messages.set(slot, outcome.spooled);
  reply({ op: "arrived", slot, header: outcome.header, path: outcome.spooled.path });
}

async function handle(message: ToWorker): Promise<void> {
  switch (message.op) {
    case "open":
      files.set(
        message.slot,
        new SpoolFile(spool.folder, spool.maxMessageBytes, beginEarly(message.expected, spillway)),
      );
      break;
    case "write": {
      const { chunk } = message;
      files.get(message.slot)?.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      acknowledge(message.slot, chunk.byteLength);
      break;
    }
    case "end":
      await end(message.slot);
      break;
    case "drop":
      await files.get(message.slot)?.discard();
      await messages.get(message.slot)?.discard();
      files.delete(message.slot);
      unacknowledged.delete(message.slot);
      messages.delete(message.slot);
      break;
    case "bound": {
      const spooled = messages.get(message.slot)!;
      reply({ op: "bounded", slot: message.slot, outcome: await boundSpooled(spooled, message.request, spillway) });
      break;
    }
    case "flush":
      await spillway.flush();
      reply({ op: "flushed" });
      break;
  }
}

parentPort?.on("message", (message: ToWorker) => {
  handle(message).catch((error: unknown) => {
    reply({ op: "failed", slot: "slot" in message ? message.slot : -1, reason: (error as Error).message });
  });
});
