import { ARTIFACT_DIR, TRUNCATE_DIR } from "../limits/defaults.ts";
import { createLocalStore, type LocalStore } from "./local/local-store.ts";
import type { ArtifactLocation, Manifest } from "./types.ts";

export type FoundArtifact = ArtifactLocation & { readonly store: LocalStore; readonly manifest?: Manifest };

/** The stores below a root: the one in `dir` when given, and both default folders. */
export function openStores(root: string, dir?: string): readonly LocalStore[] {
  const dirs = [...(dir === undefined ? [] : [dir]), ARTIFACT_DIR, TRUNCATE_DIR];
  const stores = dirs.map((each) => createLocalStore({ dir: each, root }));
  return stores.filter((store, at) => stores.findIndex((other) => other.dir === store.dir) === at);
}

/** Finds an artifact by id, file name, path or call id in the first store that has it. */
export async function findInStores(
  stores: readonly LocalStore[],
  reference: string,
): Promise<FoundArtifact | undefined> {
  for (const store of stores) {
    const found = await store.find(reference);
    if (found !== undefined) return { ...found, store };
  }
  return undefined;
}
