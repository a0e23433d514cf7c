import type { Spillway, SpillwayOptions } from "../../../gate/types.ts";
import { workerFile } from "../../../process/worker-file.ts";
import { boundSpooled } from "../message/bound-message.ts";
import { type LargeArrival, parseAll, type Spool, type SpoolOptions } from "./spool.ts";
import { SpoolFile, type SpoolOutcome } from "./spool-file.ts";
import { WorkerSpool } from "./worker-spool.ts";

/** A spool in a worker when the worker can rebuild the gate from plain options, else one in this thread. */
export function createSpool(spillway: Spillway, spillwayOptions: SpillwayOptions, options: SpoolOptions): Spool {
  const file = workerFile("spool-worker");
  const { env = process.env, records, ...others } = spillwayOptions;
  const plain = Object.values(others).every(crossesThreads);
  if (!plain || !file) return createInlineSpool(spillway, options);
  const data = { spool: options, spillway: { ...others, env: { ...env } }, handsRecords: records !== undefined };
  return new WorkerSpool(file, data, records);
}

/** True for what a worker can be given: neither a function nor an object that has any. */
function crossesThreads(option: unknown): boolean {
  if (typeof option === "function") return false;
  return typeof option !== "object" || option === null || isPlain(option);
}

function isPlain(option: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(option);
  const plain = prototype === Object.prototype || prototype === null || Array.isArray(option);
  return plain && Object.values(option).every(crossesThreads);
}

/**
 * A spool that works in this thread; used where no worker can be started or the store is the caller's own. Everything
 * goes to disk, and to the gate when it is complete.
 */
export function createInlineSpool(spillway: Spillway, options: SpoolOptions): Spool {
  return {
    open(onArrival) {
      const file = new SpoolFile(options.folder, options.maxMessageBytes);
      return {
        write: (chunk) => file.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)),
        end: () => void file.finish().then((outcome) => onArrival(arrive(outcome, spillway))),
        abort: () => void file.discard(),
      };
    },
    close: async () => {},
  };
}

function arrive(outcome: SpoolOutcome, spillway: Spillway): LargeArrival {
  if (outcome.kind !== "message") return outcome;
  const { spooled, header } = outcome;
  return {
    kind: "message",
    message: {
      header,
      bound: (request) => boundSpooled(spooled, request, spillway),
      read: () => spooled.read(),
      parse: () => parseAll(spooled.read()),
      discard: () => spooled.discard(),
    },
  };
}
