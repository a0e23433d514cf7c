import { existsSync } from "node:fs";
import { join } from "node:path";
import { ARTIFACT_DIR, HOST_ARTIFACT_DIR, TRUNCATE_DIR } from "../limits/defaults.ts";
import { leadsThroughShared } from "./hold-folder.ts";
import { createLocalStore, type LocalStore, type LocalStoreOptions } from "./local/local-store.ts";
import { stateArtifactDir } from "./local/store-folder.ts";
import { RoutedStore, sumReports } from "./routed-store.ts";
import type {
  ArtifactStore,
  ArtifactWriter,
  CleanupOptions,
  CleanupReport,
  CreateArtifact,
  FoundArtifact,
  Manifest,
} from "./types.ts";

/**
 * Two stores as one: an artifact that cannot be opened in the first, or may not, is opened in the second, and whoever reads
 * looks in both. `dir` is the first one's folder.
 */
export class FallbackStore extends RoutedStore {
  readonly dir: string;
  readonly #first: ArtifactStore;
  readonly #second: ArtifactStore;
  readonly #usesFirst: () => boolean;

  constructor(
    first: ArtifactStore & { readonly dir: string },
    second: ArtifactStore,
    usesFirst: () => boolean = () => true,
  ) {
    super();
    this.#usesFirst = usesFirst;
    this.dir = first.dir;
    this.#first = first;
    this.#second = second;
  }

  override async create(request: CreateArtifact): Promise<ArtifactWriter> {
    if (!this.#usesFirst()) return this.#second.create(request);
    try {
      return await this.#first.create(request);
    } catch (error) {
      return this.#second.create(request).catch(() => {
        throw error;
      });
    }
  }

  override async find(reference: string): Promise<FoundArtifact | undefined> {
    return (await this.#findFirst(reference)) ?? (await this.#second.find(reference));
  }

  override async *list(): AsyncIterable<Manifest & { readonly path: string }> {
    const manifests: (Manifest & { readonly path: string })[] = [];
    for (const store of [this.#first, this.#second]) {
      for await (const manifest of store.list()) manifests.push(manifest);
    }
    yield* manifests.sort((left, right) => (left.id < right.id ? -1 : 1));
  }

  override async cleanup(options?: CleanupOptions): Promise<CleanupReport> {
    const own = await this.#first.cleanup(options).catch(() => undefined);
    const beside = await this.#second.cleanup(options);
    return sumReports(own === undefined ? [beside] : [own, beside]);
  }

  override async pin(owner: string, ids: readonly string[]): Promise<void> {
    const held = new Map<ArtifactStore, string[]>([
      [this.#first, []],
      [this.#second, []],
    ]);
    for (const id of ids) held.get(await this.holding(id))?.push(id);
    // To pin nothing would still make a folder.
    for (const [store, own] of held) await (own.length > 0 ? store.pin(owner, own) : store.unpin(owner));
  }

  override async unpin(owner: string): Promise<void> {
    await this.#first.unpin(owner);
    await this.#second.unpin(owner);
  }

  protected async holding(id: string): Promise<ArtifactStore> {
    const beside = (await this.#findFirst(id)) === undefined && (await this.#second.find(id)) !== undefined;
    return beside ? this.#second : this.#first;
  }

  /** A folder that cannot even be listed has nothing to find. */
  #findFirst(reference: string): ReturnType<ArtifactStore["find"]> {
    return this.#first.find(reference).catch(() => undefined);
  }
}

/**
 * A local store that falls back to the user's state folder if its folder cannot be written. So it does if other users
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
  /** A folder to search in addition to the default ones. */
  readonly configuredDir?: string | undefined;
  /** A second root whose default folders are searched too. */
  readonly alsoBelow?: string | undefined;
}

/** The stores of a root, each folder once, plus its folder in the user's state folder. */
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
