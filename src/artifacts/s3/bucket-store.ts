import { remember } from "../../bytes/remember.ts";
import { SpillwayError } from "../../errors.ts";
import { createArtifactId, isArtifactId } from "../artifact-name.ts";
import { type ByteSource, closing, createMemorySource, openFileSource, readChunks } from "../byte-source.ts";
import { compareWithManifest, digestSource } from "../digest.ts";
import { resolveKeeping } from "../keeping-rules.ts";
import { decodeLineIndex, encodeLineIndex, INDEX_STRIDE, type LineIndex } from "../line-index.ts";
import { renderPin } from "../pin-text.ts";
import { DEFAULT_MAX_BYTES, readLinesFrom, scanLineIndex } from "../read-lines.ts";
import type {
  ArtifactStore,
  ArtifactWriter,
  ByteRange,
  CleanupOptions,
  CleanupReport,
  CreateArtifact,
  FoundArtifact,
  LinesAnswer,
  LinesRequest,
  Manifest,
  Verification,
} from "../types.ts";
import type { Bucket } from "./bucket.ts";
import { BucketCatalog, cleanupBucket } from "./bucket-catalog.ts";
import { bucketFailed, S3Failure } from "./s3-failure.ts";
import type { S3Layout } from "./s3-layout.ts";
import type { ReadCache } from "./s3-source.ts";
import { S3Source } from "./s3-source.ts";
import { S3Writer, type S3WriterContext } from "./s3-writer.ts";

export interface BucketStoreOptions {
  readonly retentionDays?: number | undefined;
  readonly quotaBytes?: number | undefined;
  readonly now?: (() => number) | undefined;
  readonly partBytes: number;
  readonly abandonedAfterMs: number;
  readonly spool?: ArtifactStore | undefined;
  readonly cache?: ReadCache | undefined;
}

const KNOWN_INDEXES = 32;
const MANIFESTS_AT_ONCE = 16;
/** After a failure the bucket is not tried again for this long. */
const PAUSE_MS = 30_000;

/** Artifacts in a bucket. */
export class BucketStore implements ArtifactStore {
  readonly bucket: Bucket;
  readonly layout: S3Layout;
  readonly #options: BucketStoreOptions;
  readonly #catalog: BucketCatalog;
  readonly #indexes = new Map<string, LineIndex>();
  readonly #writing: S3WriterContext;
  #pausedUntil = 0;
  #pauseReason = "";

  constructor(bucket: Bucket, layout: S3Layout, options: BucketStoreOptions) {
    this.bucket = bucket;
    this.layout = layout;
    this.#options = options;
    this.#catalog = new BucketCatalog(bucket, layout, options.now);
    this.#writing = {
      bucket,
      layout,
      partBytes: options.partBytes,
      spool: options.spool,
      unavailable: () => (options.spool && performance.now() < this.#pausedUntil ? this.#pauseReason : undefined),
      onFailure: (reason) => {
        this.#pausedUntil = performance.now() + PAUSE_MS;
        this.#pauseReason = reason;
      },
      onClosed: (id, manifest) => this.#catalog.closed(id, manifest),
    };
  }

  async create(request: CreateArtifact): Promise<ArtifactWriter> {
    const writer = new S3Writer(request.id ?? createArtifactId(this.#options.now?.()), request, this.#writing);
    this.#catalog.open.set(writer.id, writer);
    return writer;
  }

  /** A writer without a spool, for bytes that are in the spool already. */
  createUnspooled(request: CreateArtifact & { readonly id: string }): ArtifactWriter {
    return new S3Writer(request.id, request, { ...this.#writing, spool: undefined, unavailable: () => undefined });
  }

  async find(reference: string): Promise<FoundArtifact | undefined> {
    if (reference === "") return undefined;
    return this.#guard(`look for ${reference}`, () => this.#catalog.find(reference));
  }

  async *list(): AsyncIterable<Manifest & { readonly path: string }> {
    const listed = await this.#guard("list the artifacts", () => this.#catalog.list());
    for (let at = 0; at < listed.length; at += MANIFESTS_AT_ONCE) {
      const some = await Promise.all(listed.slice(at, at + MANIFESTS_AT_ONCE).map((load) => load()));
      for (const manifest of some)
        if (manifest !== undefined) yield { ...manifest, path: this.layout.path(manifest.name) };
    }
  }

  async *read(id: string, range?: ByteRange): AsyncIterable<Uint8Array> {
    const { name, bytes } = await this.#requireReadable(id);
    const startByte = Math.max(0, range?.startByte ?? 0);
    const endByte = Math.min(range?.endByte ?? bytes, bytes);
    const { cache } = this.#options;
    const whole = range === undefined && cache?.takes(bytes) === true;
    try {
      const copy = await cache?.find(name, bytes);
      if (copy !== undefined) {
        const source = await openFileSource(copy);
        try {
          yield* readChunks(source, startByte, endByte);
        } finally {
          await source.close();
        }
        return;
      }
      const chunks = this.bucket.requests.stream(this.layout.data(name), startByte, endByte);
      yield* whole && cache !== undefined ? cache.tee(name, bytes, chunks) : chunks;
    } catch (error) {
      throw this.#readFailed(id, error);
    }
  }

  async open(id: string): Promise<ByteSource> {
    const { name, bytes } = await this.#requireReadable(id);
    return this.#openSource(id, name, bytes);
  }

  async readLines(id: string, request: LinesRequest): Promise<LinesAnswer> {
    const { name, bytes } = await this.#requireReadable(id);
    const { maxBytes = DEFAULT_MAX_BYTES } = request;
    const opened = await this.#openSource(id, name, bytes, Math.min(INDEX_STRIDE, maxBytes + 4));
    return closing(opened, async (source) => {
      if (bytes <= INDEX_STRIDE) {
        const all = createMemorySource(await source.read(0, bytes));
        return readLinesFrom(all, await scanLineIndex(all), request);
      }
      const index = (await this.#readIndex(id, bytes)) ?? (await scanLineIndex(source));
      return readLinesFrom(source, index, request);
    }).catch((error: unknown) => {
      throw this.#readFailed(id, error);
    });
  }

  async verify(id: string): Promise<Verification> {
    const found = await this.#require(id);
    if (found.manifest === undefined) return { ok: false, problem: this.#catalog.whyUnfinished(id) };
    const { name, bytes } = found.manifest;
    try {
      const size = await this.bucket.size(this.layout.data(name));
      if (size === undefined) return { ok: false, problem: "its bytes are gone", manifest: found.manifest };
      // Verify the object itself, not the cached copy.
      const source = new S3Source(this.bucket, this.layout.data(name), Math.max(size, bytes));
      return compareWithManifest(found.manifest, await closing(source, digestSource));
    } catch (error) {
      throw this.#readFailed(id, error);
    }
  }

  async remove(id: string): Promise<boolean> {
    return this.#guard(`remove ${id}`, async () => {
      const found = await this.#catalog.findId(id);
      if (found === undefined) return false;
      await this.#forget(id, found.name);
      // Without its manifest the artifact no longer exists, even if other objects remain.
      await this.bucket.remove([this.layout.manifest(id)]);
      await this.bucket.remove([this.layout.data(found.name), this.layout.index(id)]);
      return true;
    });
  }

  async cleanup(options: CleanupOptions = {}): Promise<CleanupReport> {
    return this.#guard("clean up the bucket", async () => {
      const report = await cleanupBucket(this.bucket, this.layout, {
        ...resolveKeeping(options, this.#options),
        abandonedAfterMs: this.#options.abandonedAfterMs,
        isOpen: (id) => this.#catalog.open.has(id),
      });
      if (options.dryRun === true) return report;
      for (const id of report.removed) await this.#forget(id, this.#catalog.known(id)?.name);
      return report;
    });
  }

  async pin(owner: string, ids: readonly string[]): Promise<void> {
    const { pinKey } = await import("./pin-objects.ts");
    const body = Buffer.from(renderPin(owner, ids));
    await this.#guard("pin artifacts", () => this.bucket.put(pinKey(this.layout, owner), body, "application/json"));
  }

  async unpin(owner: string): Promise<void> {
    const { pinKey } = await import("./pin-objects.ts");
    await this.#guard("unpin artifacts", () => this.bucket.remove([pinKey(this.layout, owner)]));
  }

  async #readIndex(id: string, bytes: number): Promise<LineIndex | undefined> {
    const known = this.#indexes.get(id);
    if (known !== undefined) return known;
    const { cache } = this.#options;
    const cached = await cache?.read(`${id}.idx`);
    const decoded = cached && decodeLineIndex(cached);
    const stored = decoded?.bytes === bytes ? undefined : await this.bucket.get(this.layout.index(id));
    const index = stored === undefined ? decoded : decodeLineIndex(stored);
    if (index?.bytes !== bytes) return undefined;
    if (stored !== undefined) await cache?.write(`${id}.idx`, encodeLineIndex(index));
    remember(this.#indexes, id, index, KNOWN_INDEXES);
    return index;
  }

  async #openSource(id: string, name: string, bytes: number, readAheadBytes?: number): Promise<ByteSource> {
    const copy = await this.#options.cache?.find(name, bytes);
    if (copy !== undefined) {
      const source = await openFileSource(copy).catch(() => undefined);
      if (source !== undefined) return source;
    }
    const source = new S3Source(this.bucket, this.layout.data(name), bytes, readAheadBytes);
    return {
      size: source.size,
      read: (startByte, endByte) =>
        source.read(startByte, endByte).catch((error: unknown) => {
          throw this.#readFailed(id, error);
        }),
      close: () => source.close(),
    };
  }

  async #forget(id: string, name: string | undefined): Promise<void> {
    this.#catalog.forget(id);
    this.#indexes.delete(id);
    await this.#options.cache?.remove(`${id}.idx`);
    if (name !== undefined) await this.#options.cache?.remove(name);
  }

  async #require(id: string): Promise<FoundArtifact> {
    const found = isArtifactId(id) ? await this.#guard(`look for ${id}`, () => this.#catalog.findId(id)) : undefined;
    if (found !== undefined) return found;
    throw this.#notFound(id);
  }

  async #requireReadable(id: string): Promise<{ readonly name: string; readonly bytes: number }> {
    const known = this.#catalog.known(id);
    if (known !== undefined) return known;
    const { name, manifest } = await this.#require(id);
    const bytes = manifest?.bytes ?? (await this.bucket.size(this.layout.data(name)));
    if (bytes !== undefined) return { name, bytes };
    throw new SpillwayError("ARTIFACT_NOT_FOUND", `the artifact ${id} in ${this.layout.uri} is being written`);
  }

  #notFound(id: string): SpillwayError {
    return new SpillwayError("ARTIFACT_NOT_FOUND", `there is no artifact ${id} in ${this.layout.uri}`);
  }

  #readFailed(id: string, error: unknown): unknown {
    if (error instanceof S3Failure && error.status === 404 && error.code !== "NoSuchBucket") {
      this.#catalog.forget(id);
      return new SpillwayError("ARTIFACT_NOT_FOUND", `the artifact ${id} was removed from ${this.layout.uri}`);
    }
    return error instanceof S3Failure ? bucketFailed(`read ${id}`, error, this.bucket.requests.place) : error;
  }

  async #guard<T>(action: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof S3Failure ? bucketFailed(action, error, this.bucket.requests.place) : error;
    }
  }
}
