import type {
  ArtifactStore,
  ArtifactWriter,
  ByteRange,
  CleanupOptions,
  CleanupReport,
  CreateArtifact,
  LinesAnswer,
  LinesRequest,
  Manifest,
  Verification,
} from "../artifacts/types.ts";

/** A store that is opened with its first use, since where it lies may be known only then. */
export class DeferredStore implements ArtifactStore {
  readonly #open: () => Promise<ArtifactStore>;

  constructor(open: () => Promise<ArtifactStore>) {
    this.#open = open;
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

  async *read(id: string, range?: ByteRange): AsyncIterable<Uint8Array> {
    yield* (await this.#open()).read(id, range);
  }

  async readLines(id: string, request: LinesRequest): Promise<LinesAnswer> {
    return (await this.#open()).readLines(id, request);
  }

  async verify(id: string): Promise<Verification> {
    return (await this.#open()).verify(id);
  }

  async remove(id: string): Promise<boolean> {
    return (await this.#open()).remove(id);
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
