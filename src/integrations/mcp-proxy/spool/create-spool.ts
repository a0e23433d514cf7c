import { existsSync } from "node:fs";
import type { Spillway, SpillwayOptions } from "../../../gate/types.ts";
import { createInlineSpool } from "./inline-spool.ts";
import type { Spool, SpoolOptions } from "./spool.ts";
import { WorkerSpool } from "./worker-spool.ts";

/** A spool in a worker when the worker can rebuild the gate from plain options, else one in this thread. */
export function createSpool(spillway: Spillway, spillwayOptions: SpillwayOptions, options: SpoolOptions): Spool {
  // Beside the built files; run from source there is none.
  const url = new URL("./spool-worker.mjs", import.meta.url);
  const plain = !spillwayOptions.store && !spillwayOptions.logger && !spillwayOptions.countTokens;
  if (!plain || !existsSync(url)) return createInlineSpool(spillway, options);
  return new WorkerSpool(url, {
    spool: options,
    spillway: { ...spillwayOptions, env: { ...(spillwayOptions.env ?? process.env) } },
  });
}
