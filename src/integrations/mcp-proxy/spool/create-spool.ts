import type { Spillway, SpillwayOptions } from "../../../gate/types.ts";
import { workerFile } from "../../../process/worker-file.ts";
import { createInlineSpool } from "./inline-spool.ts";
import type { Spool, SpoolOptions } from "./spool.ts";
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
