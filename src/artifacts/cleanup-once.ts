import type { ArtifactStore, CleanupReport } from "./types.ts";

const cleaned = new Map<string, Promise<CleanupReport | undefined>>();
const keys = new WeakMap<ArtifactStore, string>();
let unnamed = 0;

/**
 * Cleans a store up, once per process and folder; further calls give the first one's report. Never rejects: undefined
 * when the cleanup failed.
 */
export function cleanupOnce(store: ArtifactStore): Promise<CleanupReport | undefined> {
  const key = keyOf(store);
  const running = cleaned.get(key) ?? attempt(store);
  cleaned.set(key, running);
  return running;
}

async function attempt(store: ArtifactStore): Promise<CleanupReport | undefined> {
  try {
    return await store.cleanup({ automatic: true });
  } catch {
    return undefined;
  }
}

function keyOf(store: ArtifactStore): string {
  const { dir } = store as { readonly dir?: unknown };
  if (typeof dir === "string") return `dir:${dir}`;
  const key = keys.get(store) ?? `store:${unnamed++}`;
  keys.set(store, key);
  return key;
}
