import type { ByteSource } from "./byte-source.ts";
import { openArtifact } from "./open-artifact.ts";
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
} from "./types.ts";

/** A store over several others: each call goes to the store that holds the artifact. */
export abstract class RoutedStore implements ArtifactStore {
  /** Returns the default store if there is no id. */
  protected abstract holding(id?: string): Promise<ArtifactStore>;

  async create(request: CreateArtifact): Promise<ArtifactWriter> {
    return (await this.holding()).create(request);
  }

  async find(reference: string): ReturnType<ArtifactStore["find"]> {
    return (await this.holding()).find(reference);
  }

  async *list(): AsyncIterable<Manifest & { readonly path: string }> {
    yield* (await this.holding()).list();
  }

  async cleanup(options?: CleanupOptions): Promise<CleanupReport> {
    return (await this.holding()).cleanup(options);
  }

  async pin(owner: string, ids: readonly string[]): Promise<void> {
    await (await this.holding()).pin(owner, ids);
  }

  async unpin(owner: string): Promise<void> {
    await (await this.holding()).unpin(owner);
  }

  async *read(id: string, range?: ByteRange): AsyncIterable<Uint8Array> {
    yield* (await this.holding(id)).read(id, range);
  }

  async open(id: string): Promise<ByteSource> {
    return openArtifact(await this.holding(id), id);
  }

  async readLines(id: string, request: LinesRequest): Promise<LinesAnswer> {
    return (await this.holding(id)).readLines(id, request);
  }

  async verify(id: string): Promise<Verification> {
    return (await this.holding(id)).verify(id);
  }

  async remove(id: string): Promise<boolean> {
    return (await this.holding(id)).remove(id);
  }
}

/** The reports of several stores as one. */
export function sumReports(reports: readonly CleanupReport[]): CleanupReport {
  const clockProblem = reports.find((report) => report.clockProblem !== undefined)?.clockProblem;
  return {
    removed: reports.flatMap(({ removed }) => removed),
    freedBytes: reports.reduce((sum, { freedBytes }) => sum + freedBytes, 0),
    keptBytes: reports.reduce((sum, { keptBytes }) => sum + keptBytes, 0),
    ...(clockProblem !== undefined && { clockProblem }),
  };
}

/** A store that is opened on first use, because its location may not be known earlier. */
export class DeferredStore extends RoutedStore {
  readonly #open: () => Promise<ArtifactStore>;

  constructor(open: () => Promise<ArtifactStore>) {
    super();
    this.#open = open;
  }

  protected holding(): Promise<ArtifactStore> {
    return this.#open();
  }
}
