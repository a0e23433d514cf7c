import { SpillwayError } from "../errors.ts";
import { checkOptions } from "../limits/options.ts";
import { artifactIdTime, createArtifactId } from "./artifact-id.ts";
import { createArtifactName } from "./artifact-name.ts";
import { createMemorySource, readChunks } from "./byte-source.ts";
import { type Digest, DigestBuilder, digestSource } from "./digest.ts";
import { hasToGo, resolveKeeping } from "./keeping-rules.ts";
import { createManifest } from "./manifest.ts";
import { STORE_CHECKS } from "./option-checks.ts";
import { readLinesFrom, scanLineIndex } from "./read-lines.ts";
import type {
  ArtifactLocation,
  ArtifactStore,
  ArtifactWriter,
  ByteRange,
  CleanupOptions,
  CleanupReport,
  Completion,
  CreateArtifact,
  LinesAnswer,
  LinesRequest,
  Manifest,
  Verification,
} from "./types.ts";
import { compareWithManifest } from "./verify.ts";

export interface MemoryStoreOptions {
  /** @default 7 */
  readonly retentionDays?: number | undefined;
  /** @default no quota */
  readonly quotaBytes?: number | undefined;
  /** The clock that ids and retention follow, in milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined;
}

interface Entry extends ArtifactLocation {
  readonly request: CreateArtifact;
  readonly chunks: Uint8Array[];
  readonly digest: DigestBuilder;
  bytes?: Uint8Array;
  manifest?: Manifest;
}

/** Keeps artifacts in memory, for tests and for hosts without a disk. */
export function createMemoryStore(options: MemoryStoreOptions = {}): ArtifactStore {
  return new MemoryArtifactStore(checkOptions(options, STORE_CHECKS, "createMemoryStore()"));
}

class MemoryArtifactStore implements ArtifactStore {
  readonly #options: MemoryStoreOptions;
  readonly #entries = new Map<string, Entry>();
  readonly #pins = new Map<string, ReadonlySet<string>>();

  constructor(options: MemoryStoreOptions) {
    this.#options = options;
  }

  async create(request: CreateArtifact): Promise<ArtifactWriter> {
    const id = request.id ?? createArtifactId(this.#options.now?.());
    const name = createArtifactName({ ...request, id });
    const entry: Entry = { id, name, path: `memory:${name}`, request, chunks: [], digest: new DigestBuilder() };
    this.#entries.set(id, entry);
    return {
      id,
      name,
      path: entry.path,
      write: (chunk) => this.#write(entry, chunk),
      finish: async (completion) => this.#finish(entry, completion),
      discard: async () => {
        this.#entries.delete(id);
      },
    };
  }

  async find(reference: string): Promise<(ArtifactLocation & { readonly manifest?: Manifest }) | undefined> {
    const entries = [...this.#entries.values()].reverse();
    const entry =
      entries.find(({ id, name, path }) => [id, name, path].includes(reference)) ??
      entries.find(({ request }) => request.callId === reference && request.relatedTo === undefined) ??
      entries.find(({ request }) => request.callId === reference);
    if (entry === undefined) return undefined;
    const { id, name, path, manifest } = entry;
    return { id, name, path, ...(manifest === undefined ? {} : { manifest }) };
  }

  async *list(): AsyncIterable<Manifest & { readonly path: string }> {
    for (const entry of [...this.#entries.values()].sort((left, right) => (left.id < right.id ? -1 : 1))) {
      if (entry.manifest !== undefined) {
        yield { ...entry.manifest, path: entry.path };
        continue;
      }
      const index = await scanLineIndex(createMemorySource(bytesOf(entry)));
      const completion = { complete: false, reason: "incomplete: it is being written" } as const;
      yield { ...describe(entry, { sha256: "", index }, completion), path: entry.path };
    }
  }

  async *read(id: string, range?: ByteRange): AsyncIterable<Uint8Array> {
    const source = createMemorySource(bytesOf(this.#require(id)));
    for await (const chunk of readChunks(source, range?.startByte, range?.endByte)) yield new Uint8Array(chunk);
  }

  async readLines(id: string, request: LinesRequest): Promise<LinesAnswer> {
    const source = createMemorySource(bytesOf(this.#require(id)));
    return readLinesFrom(source, await scanLineIndex(source), request);
  }

  async verify(id: string): Promise<Verification> {
    const entry = this.#require(id);
    if (entry.manifest === undefined) return { ok: false, problem: "incomplete: it is being written" };
    return compareWithManifest(entry.manifest, await digestSource(createMemorySource(bytesOf(entry))));
  }

  async remove(id: string): Promise<boolean> {
    return this.#entries.delete(id);
  }

  async cleanup(options: CleanupOptions = {}): Promise<CleanupReport> {
    const rules = resolveKeeping(options, this.#options);
    const pinned = new Set([...this.#pins.values()].flatMap((ids) => [...ids]));
    const entries = [...this.#entries.values()].sort((left, right) => (left.id < right.id ? -1 : 1));
    let keptBytes = entries.reduce((sum, entry) => sum + bytesOf(entry).length, 0);
    let freedBytes = 0;
    const removed: string[] = [];
    for (const entry of entries) {
      if (entry.manifest === undefined || pinned.has(entry.id)) continue;
      if (!hasToGo(rules, entry.id, keptBytes)) continue;
      this.#entries.delete(entry.id);
      removed.push(entry.id);
      keptBytes -= entry.manifest.bytes;
      freedBytes += entry.manifest.bytes;
    }
    return { removed, freedBytes, keptBytes };
  }

  async pin(owner: string, ids: readonly string[]): Promise<void> {
    this.#pins.set(owner, new Set(ids));
  }

  async unpin(owner: string): Promise<void> {
    this.#pins.delete(owner);
  }

  #write(entry: Entry, chunk: Uint8Array): Promise<void> | undefined {
    if (entry.manifest !== undefined || !this.#entries.has(entry.id)) {
      return Promise.reject(new SpillwayError("INVALID_ARGUMENT", "the artifact is finished; nothing can be added"));
    }
    const kept = new Uint8Array(chunk);
    entry.chunks.push(kept);
    entry.digest.add(kept);
    return undefined;
  }

  #finish(entry: Entry, completion: Completion): Manifest {
    if (!this.#entries.has(entry.id)) throw new SpillwayError("INVALID_ARGUMENT", "the artifact was discarded");
    entry.manifest ??= describe(entry, entry.digest.finish(), completion);
    return entry.manifest;
  }

  #require(id: string): Entry {
    const entry = this.#entries.get(id);
    if (entry === undefined) throw new SpillwayError("ARTIFACT_NOT_FOUND", `there is no artifact ${id} in memory`);
    return entry;
  }
}

function describe(entry: Entry, digest: Digest, completion: Completion): Manifest {
  return createManifest({
    id: entry.id,
    name: entry.name,
    createdAt: new Date(artifactIdTime(entry.id)).toISOString(),
    request: entry.request,
    bytes: digest.index.bytes,
    lines: digest.index.lines,
    sha256: digest.sha256,
    completion,
  });
}

function bytesOf(entry: Entry): Uint8Array {
  if (entry.manifest !== undefined && entry.bytes !== undefined) return entry.bytes;
  const bytes = new Uint8Array(Buffer.concat(entry.chunks));
  if (entry.manifest !== undefined) {
    entry.bytes = bytes;
    entry.chunks.length = 0;
  }
  return bytes;
}
