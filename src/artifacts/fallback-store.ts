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
