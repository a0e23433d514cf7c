import { RoutedStore } from "../artifacts/routed-store.ts";
import type {
  ArtifactStore,
  ArtifactWriter,
  CleanupOptions,
  CleanupReport,
  CreateArtifact,
  Manifest,
} from "../artifacts/types.ts";

/** A store that is opened with its first use, since where it lies may be known only then. */
export class DeferredStore extends RoutedStore {
  readonly #open: () => Promise<ArtifactStore>;

  constructor(open: () => Promise<ArtifactStore>) {
    super();
    this.#open = open;
  }

  protected holding(): Promise<ArtifactStore> {
    return this.#open();
  }

  async create(request: CreateArtifact): Promise<ArtifactWriter> {
    return (await this.#open()).create(request);
  }

  async find(reference: string): ReturnType<ArtifactStore["find"]> {
    return (await this.#open()).find(reference);
  }

  async *list(): AsyncIterable<Manifest & { readonly path: string }> {
    yield* (await this.#open()).list();
  }

  async cleanup(options?: CleanupOptions): Promise<CleanupReport> {
    return (await this.#open()).cleanup(options);
  }

  async pin(owner: string, ids: readonly string[]): Promise<void> {
    await (await this.#open()).pin(owner, ids);
  }

  async unpin(owner: string): Promise<void> {
    await (await this.#open()).unpin(owner);
  }
}
