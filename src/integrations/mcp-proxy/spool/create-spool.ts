import { existsSync } from "node:fs";
import type { Spillway, SpillwayOptions } from "../../../gate/types.ts";
import { createInlineSpool } from "./inline-spool.ts";
import type { Spool, SpoolOptions } from "./spool.ts";
import { WorkerSpool } from "./worker-spool.ts";

/** A spool in a worker when the worker can rebuild the gate from plain options, else one in this thread. */
export function createSpool(spillway: Spillway, spillwayOptions: SpillwayOptions, options: SpoolOptions): Spool {
  // Beside the built files; run from source there is none.
  const url = new URL("./spool-worker.mjs", import.meta.url);
  const { env = process.env, ...others } = spillwayOptions;
  const plain = Object.values(others).every(crossesThreads);
  if (!plain || !existsSync(url)) return createInlineSpool(spillway, options);
  return new WorkerSpool(url, {
    spool: options,
    spillway: { ...others, env: { ...env } },
  });
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
