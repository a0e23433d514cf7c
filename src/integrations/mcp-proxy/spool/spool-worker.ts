import { parentPort, workerData } from "node:worker_threads";
import { stringifyJson } from "../../../bytes/json/stringify-json.ts";
import type { RecordSink } from "../../../gate/records.ts";
import { metricSinks } from "../../../telemetry/metric-sinks.ts";
import { boundSpooled } from "../message/bound-message.ts";
import { createProxyGate } from "../proxy-gate.ts";
import { EarlyText } from "./early-text.ts";
import { PreviewThread } from "./preview-thread.ts";
import type { ExpectedAnswer } from "./spool.ts";
import { type BeginEarly, SpoolFile } from "./spool-file.ts";
import type { SpooledMessage } from "./spooled-message.ts";
import type { FromWorker, ToWorker, WorkerData } from "./worker-messages.ts";

const { spool, spillway: spillwayOptions, handsRecords } = workerData as WorkerData;
// Whoever counts lives in the thread that started this one.
metricSinks.add({
  measure: (instrument, value, attributes) => reply({ op: "measured", instrument, value, attributes }),
});
const records: RecordSink = {
  addRecords: async (root, added) => reply({ op: "recorded", root, records: added }),
};
const spillway = createProxyGate({ ...spillwayOptions, ...(handsRecords ? { records } : {}) });
const files = new Map<number, SpoolFile>();
const messages = new Map<number, SpooledMessage>();
const early = {
  spillway,
  previews: new PreviewThread(new URL("./preview-worker.mjs", import.meta.url)),
};

function reply(message: FromWorker): void {
  parentPort?.postMessage(message);
}

/** Begins with the text of the one call that a message can be the answer to. */
function beginEarly(expected: readonly ExpectedAnswer[]): BeginEarly {
  return (head, id) => {
    const answer = id === undefined && expected.length === 1 ? expected[0] : expected.find((one) => one.id === id);
    return answer?.call && new EarlyText(head, answer.call, early);
  };
}

/** Chunks are taken in the order they come, before anything is awaited. */
async function write(slot: number, chunks: readonly Uint8Array[]): Promise<void> {
  const file = files.get(slot);
  const taken = chunks.map(({ buffer, byteOffset, byteLength }) =>
    file?.write(Buffer.from(buffer, byteOffset, byteLength)),
  );
  await Promise.all(taken);
  reply({ op: "written", slot, bytes: chunks.reduce((sum, { byteLength }) => sum + byteLength, 0) });
}

async function drop(slot: number): Promise<void> {
  const parts = [files.get(slot), messages.get(slot)];
  files.delete(slot);
  messages.delete(slot);
  for (const part of parts) await part?.discard();
}

async function end(slot: number): Promise<void> {
  const outcome = await files.get(slot)!.finish();
  files.delete(slot);
  if (outcome.kind !== "message") {
    reply({ op: "untaken", slot, arrival: outcome });
    return;
  }
  messages.set(slot, outcome.spooled);
  const { header, spooled } = outcome;
  reply({ op: "arrived", slot, header, path: spooled.whole ? spooled.path : undefined });
}

async function handle(message: ToWorker): Promise<void> {
  switch (message.op) {
    case "open":
      files.set(message.slot, new SpoolFile(spool.folder, spool.maxMessageBytes, beginEarly(message.expected)));
      break;
    case "write":
      await write(message.slot, message.chunks);
      break;
    case "end":
      await end(message.slot);
      break;
    case "drop":
      await drop(message.slot);
      break;
    case "bound": {
      const spooled = messages.get(message.slot)!;
      const bounded = await boundSpooled(spooled, message.request, spillway);
      const outcome = { json: stringifyJson(bounded.message), artifacts: bounded.artifacts };
      reply({ op: "bounded", slot: message.slot, outcome });
      break;
    }
    case "flush":
      await spillway.flush();
      reply({ op: "flushed" });
      break;
  }
}

parentPort?.on("message", (message: ToWorker) => {
  handle(message).catch(async (error: unknown) => {
    const slot = "slot" in message ? message.slot : -1;
    reply({ op: "failed", slot, reason: (error as Error).message });
    await drop(slot).catch(() => {});
  });
});
