import { createAccumulator } from "../accumulator.ts";
import type { Accumulator, AccumulatorOptions } from "../types.ts";

/** Placeholder until the analyzers are wired: shows both ends. */
export function createSmartAccumulator(options: AccumulatorOptions): Accumulator {
  return createAccumulator({ ...options, strategy: "head_tail" });
}
