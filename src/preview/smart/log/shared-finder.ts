import { CompiledFinder } from "./compiled-finder.ts";
import { PlainFinder } from "./plain-finder.ts";
import type { RowFinder } from "./row-finder.ts";

/** Shared by all scanners without one of their own, since what it found is used at once. */
let shared: RowFinder | undefined;

export function sharedFinder(): RowFinder {
  shared ??= createFinder();
  return shared;
}

/** By WebAssembly where there is some. */
export function createFinder(): RowFinder {
  return CompiledFinder.create() ?? new PlainFinder();
}
