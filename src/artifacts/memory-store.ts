import { checkOptions } from "../limits/options.ts";
import { defineStore } from "./defined/define-store.ts";
import { STORE_CHECKS } from "./option-checks.ts";
import type { ArtifactStore } from "./types.ts";

export interface MemoryStoreOptions {
  /** Saved outputs older than this are removed. @default 7 */
  readonly retentionDays?: number | undefined;
  /** Most bytes of saved outputs; the oldest go first. @default no quota */
  readonly quotaBytes?: number | undefined;
  /** The clock that ids and retention follow, in milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** Keeps artifacts in memory, for tests and for hosts without a disk. */
export function createMemoryStore(options: MemoryStoreOptions = {}): ArtifactStore {
  checkOptions(options, STORE_CHECKS, "createMemoryStore()");
  const kept = new Map<string, Uint8Array>();
  return defineStore(
    {
      put: async (key, bytes) => kept.set(key, bytes),
      get: async (key) => kept.get(key),
      list: async (prefix) => [...kept.keys()].filter((key) => key.startsWith(prefix)),
      remove: async (key) => kept.delete(key),
    },
    { ...options, scheme: "memory" },
  );
}
