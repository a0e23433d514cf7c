import { type Running, start } from "../bytes/webassembly.ts";
import { BYTES_AT, FIND_BYTES, FINDER, FINDS_AT, HALVES_AT, HASHES_AT, PADDING } from "./gram-finder-module.ts";
import { foldGram, GRAM_BYTES, type GramSet, hasHash } from "./gram-set.ts";

/** Finds where one of a set's grams may begin: no place is missed, and few are named for nothing. */
export interface GramFinder {
  /** Where they begin, relative to `from`, in order; valid until the next search. */
  readonly finds: Uint32Array;
  /**
   * Looks for grams that stand whole between `from` and `to`, at most `FIND_BYTES` apart, and gives how many there are.
   */
  find(set: GramSet, bytes: Uint8Array, from: number, to: number): number;
}

export { FIND_BYTES };

let shared: GramFinder | undefined;

/** One for all, since what it found is used at once. By WebAssembly where there is some. */
export function gramFinder(): GramFinder {
  shared ??= createCompiledFinder() ?? createPlainFinder();
  return shared;
}

export function createCompiledFinder(): GramFinder | undefined {
  const module: Running | undefined = start(FINDER);
  if (module === undefined) return undefined;
  const memory = new Uint8Array(module.memory.buffer);
  const finds = new Uint32Array(module.memory.buffer, FINDS_AT, FIND_BYTES);
  let loaded: GramSet | undefined;
  return {
    finds,
    find(set, bytes, from, to) {
      if (set !== loaded) {
        memory.set(set.halves, HALVES_AT);
        memory.set(set.hashes, HASHES_AT);
        loaded = set;
      }
      memory.set(bytes.subarray(from, to), BYTES_AT);
      const end = BYTES_AT + to - from;
      memory.fill(0, end, end + PADDING);
      return module.run(BYTES_AT, end);
    },
  };
}

export function createPlainFinder(): GramFinder {
  const finds = new Uint32Array(FIND_BYTES);
  return {
    finds,
    find({ hashes }, bytes, from, to) {
      let count = 0;
      for (let at = from; at <= to - GRAM_BYTES; at++) {
        if (hasHash(hashes, foldGram(bytes, at))) finds[count++] = at - from;
      }
      return count;
    },
  };
}
