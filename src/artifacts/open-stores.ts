import { existsSync } from "node:fs";
import { join } from "node:path";
import { ARTIFACT_DIR, HOST_ARTIFACT_DIR, TRUNCATE_DIR } from "../limits/defaults.ts";
import { FallbackStore } from "./fallback-store.ts";
import { leadsThroughShared } from "./hold-folder.ts";
import { createLocalStore, type LocalStore, type LocalStoreOptions } from "./local/local-store.ts";
import { stateArtifactDir } from "./local/state-folder.ts";
import type { FoundArtifact } from "./types.ts";

/**
 * A local store; what cannot be written to its folder goes to the user's state folder. So does everything if other users
 * can exchange files there, unless the folder was chosen by name.
 */
export function openStore(
  options: LocalStoreOptions & { readonly root: string },
  chosen: "by name" | "by default",
): LocalStore {
  const beside = createLocalStore({ ...options, dir: stateArtifactDir(options.root) });
  const first = createLocalStore(options);
  return new FallbackStore(first, beside, () => chosen === "by name" || !leadsThroughShared(options.root, first.dir));
}

export interface OpenStoresOptions {
  /** The only folder below the root to look in. */
  readonly dir?: string | undefined;
  /** A folder to look in besides the default ones. */
  readonly configuredDir?: string | undefined;
  /** A second root, whose default folders are looked in too. */
  readonly alsoBelow?: string | undefined;
}

/** The stores of a root, each folder once, and with them what went to the user's state folder. */
export function openStores(root: string, options: OpenStoresOptions = {}): readonly LocalStore[] {
  const { dir, configuredDir, alsoBelow } = options;
  const defaults = [ARTIFACT_DIR, TRUNCATE_DIR];
  const own = dir === undefined ? [...(configuredDir === undefined ? [] : [configuredDir]), ...defaults] : [dir];
  const stores = [...own, ...foldersElsewhere(root)].map((each) => createLocalStore({ dir: each, root }));
  if (dir === undefined && alsoBelow !== undefined)
    stores.push(
      ...[...defaults, ...foldersElsewhere(alsoBelow)].map((each) => createLocalStore({ dir: each, root: alsoBelow })),
    );
  return stores.filter((store, at) => stores.findIndex((other) => other.dir === store.dir) === at);
}

/** Where agents and roots that cannot be written keep theirs: few do, and a missing folder is no news to anyone. */
function foldersElsewhere(root: string): readonly string[] {
  return [join(root, HOST_ARTIFACT_DIR), stateArtifactDir(root)].filter((folder) => existsSync(folder));
}

/** Finds an artifact by id, file name, path or call id in the first store that has it. */
export async function findInStores(
  stores: readonly LocalStore[],
  reference: string,
): Promise<(FoundArtifact & { readonly store: LocalStore }) | undefined> {
  for (const store of stores) {
    const found = await store.find(reference);
    if (found !== undefined) return { ...found, store };
  }
  return undefined;
}
