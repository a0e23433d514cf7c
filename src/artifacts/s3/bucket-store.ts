import { SpillwayError } from "../../errors.ts";
import { artifactIdTime, createArtifactId, isArtifactId } from "../artifact-id.ts";
import { parseArtifactName, sanitizeCallId } from "../artifact-name.ts";
import { type ByteSource, createMemorySource, openFileSource } from "../byte-source.ts";
import { digestSource } from "../digest.ts";
import { resolveKeeping } from "../keeping-rules.ts";
import { decodeLineIndex, encodeLineIndex, INDEX_STRIDE, type LineIndex } from "../line-index.ts";
import { parseManifest } from "../manifest.ts";
import { renderPin } from "../pin-text.ts";
import { readLinesFrom, scanLineIndex } from "../read-lines.ts";
import type {
  ArtifactLocation,
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
} from "../types.ts";
import { compareWithManifest } from "../verify.ts";
import type { Bucket } from "./bucket.ts";
import { cleanupBucket } from "./cleanup-bucket.ts";
import type { ReadCache } from "./read-cache.ts";
import { bucketFailed, S3Failure } from "./s3-failure.ts";
import type { S3Layout } from "./s3-layout.ts";
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

type Found = ArtifactLocation & { readonly manifest?: Manifest };

const DEFAULT_MAX_BYTES = 51_200;
const KNOWN_MANIFESTS = 1000;
const KNOWN_INDEXES = 32;
const MANIFESTS_AT_ONCE = 16;
const HOUR_MS = 60 * 60 * 1000;
/** How far back a call id is looked for, a step at a time: names sort by time, and a call is mostly a recent one. */
const LOOK_BACK_MS = [HOUR_MS, 24 * HOUR_MS, 7 * 24 * HOUR_MS, Number.POSITIVE_INFINITY];
/** After a failure the bucket is left alone for so long. */
const PAUSE_MS = 30_000;

/** Artifacts in a bucket. */
export class BucketStore implements ArtifactStore {
  readonly bucket: Bucket;
  readonly layout: S3Layout;
  readonly #options: BucketStoreOptions;
  readonly #open = new Map<string, S3Writer>();
  readonly #manifests = new Map<string, Manifest>();
  readonly #indexes = new Map<string, LineIndex>();
  readonly #writing: S3WriterContext;
  #pausedUntil = 0;
  #pauseReason = "";

  constructor(bucket: Bucket, layout: S3Layout, options: BucketStoreOptions) {
    this.bucket = bucket;
    this.layout = layout;
    this.#options = options;
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
      onClosed: (id, manifest) => {
        this.#open.delete(id);
        if (manifest !== undefined) this.#remember(manifest);
      },
    };
  }

  async create(request: CreateArtifact): Promise<ArtifactWriter> {
    const writer = new S3Writer(request.id ?? createArtifactId(this.#options.now?.()), request, this.#writing);
    this.#open.set(writer.id, writer);
    return writer;
  }

  /** A writer whose bytes go to the bucket or nowhere: for those that are in the spool already. */
  createUnspooled(request: CreateArtifact & { readonly id: string }): ArtifactWriter {
    return new S3Writer(request.id, request, { ...this.#writing, spool: undefined, unavailable: () => undefined });
  }

  async find(reference: string): Promise<Found | undefined> {
    if (reference === "") return undefined;
    return this.#guard(`look for ${reference}`, async () => {
      const name = this.layout.nameIn(reference);
      if (name !== undefined) return this.#findName(name);
      if (reference.startsWith("s3://")) return undefined;
      return (isArtifactId(reference) ? await this.#findId(reference) : undefined) ?? this.#findCallId(reference);
    });
  }

  async *list(): AsyncIterable<Manifest & { readonly path: string }> {
    const listed = await this.#guard("list the artifacts", async () => {
      const committed = new Set<string>();
      for await (const { key } of this.bucket.list(this.layout.meta)) {
        const id = this.layout.idOf(key);
        if (id !== undefined && key.endsWith(".json")) committed.add(id);
      }
      const names: string[] = [];
      for await (const { key } of this.bucket.list(this.layout.artifacts)) {
        const name = this.layout.nameOf(key);
        if (name !== undefined) names.push(name);
      }
      const rows = new Map<string, () => Promise<Manifest | undefined>>();
      for (const name of names) {
        const id = idOf(name);
        rows.set(id, () => (committed.has(id) ? this.#manifest(id) : this.#describeUnfinished(name)));
      }
      for (const { id, name } of this.#open.values()) rows.set(id, () => this.#describeUnfinished(name));
      for await (const { key } of this.bucket.listUploads(this.layout.artifacts)) {
        const name = this.layout.nameOf(key);
        if (name !== undefined && !rows.has(idOf(name))) rows.set(idOf(name), () => this.#describeUnfinished(name));
      }
      return [...rows].sort(([left], [right]) => (left < right ? -1 : 1));
    });
    for (let at = 0; at < listed.length; at += MANIFESTS_AT_ONCE) {
      const some = await Promise.all(listed.slice(at, at + MANIFESTS_AT_ONCE).map(([, load]) => load()));
      for (const manifest of some)
        if (manifest !== undefined) yield { ...manifest, path: this.layout.path(manifest.name) };
    }
  }

  async *read(id: string, range?: ByteRange): AsyncIterable<Uint8Array> {
    const { name, bytes } = await this.#requireReadable(id);
    const endByte = Math.min(range?.endByte ?? bytes, bytes);
    const { cache } = this.#options;
    const whole = range === undefined && cache?.takes(bytes) === true;
    try {
      const copy = await cache?.find(name, bytes);
      if (copy !== undefined) {
        const source = await openFileSource(copy);
        try {
          yield* readSource(source, range?.startByte ?? 0, endByte);
        } finally {
          await source.close();
        }
        return;
      }
      const chunks = this.bucket.requests.stream(this.layout.data(name), range?.startByte ?? 0, endByte);
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
    const source = await this.#openSource(id, name, bytes, Math.min(INDEX_STRIDE, maxBytes + 4));
    try {
      if (bytes <= INDEX_STRIDE) {
        const all = createMemorySource(await source.read(0, bytes));
        return await readLinesFrom(all, await scanLineIndex(all), request);
      }
      const index = (await this.#readIndex(id, bytes)) ?? (await scanLineIndex(source));
      return await readLinesFrom(source, index, request);
    } catch (error) {
      throw this.#readFailed(id, error);
    } finally {
      await source.close();
    }
  }

  async verify(id: string): Promise<Verification> {
    const found = await this.#require(id);
    if (found.manifest === undefined) return { ok: false, problem: this.#whyUnfinished(id) };
    const { name, bytes } = found.manifest;
    try {
      const size = await this.bucket.size(this.layout.data(name));
      if (size === undefined) return { ok: false, problem: "its bytes are gone", manifest: found.manifest };
      // What is checked is the object, whatever the cache has.
      const source = new S3Source(this.bucket, this.layout.data(name), Math.max(size, bytes));
      try {
        return compareWithManifest(found.manifest, await digestSource(source));
      } finally {
        await source.close();
      }
    } catch (error) {
      throw this.#readFailed(id, error);
    }
  }

  async remove(id: string): Promise<boolean> {
    return this.#guard(`remove ${id}`, async () => {
      const found = await this.#findId(id);
      if (found === undefined) return false;
      await this.#forget(id, found.name);
      // Without its manifest it is none any more, whatever becomes of the rest.
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
        isOpen: (id) => this.#open.has(id),
      });
      for (const id of report.removed) await this.#forget(id, this.#manifests.get(id)?.name);
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

  async #findName(name: string): Promise<Found | undefined> {
    const id = idOf(name);
    const manifest = await this.#fetchManifest(id);
    if (manifest?.name === name) return { id, name, path: this.layout.path(name), manifest };
    const unfinished =
      this.#open.get(id)?.name === name || (await this.bucket.size(this.layout.data(name))) !== undefined;
    return unfinished ? { id, name, path: this.layout.path(name) } : undefined;
  }

  async #findId(id: string): Promise<Found | undefined> {
    const manifest = await this.#fetchManifest(id);
    const name = manifest?.name ?? this.#open.get(id)?.name ?? (await this.#unfinishedName(id));
    return name === undefined ? undefined : { id, name, path: this.layout.path(name), ...(manifest && { manifest }) };
  }

  /** Names begin with their time, which is in the id. */
  async #unfinishedName(id: string): Promise<string | undefined> {
    const stamp = nameStamp(artifactIdTime(id));
    for await (const { key } of this.bucket.list(this.layout.data(stamp))) {
      const name = this.layout.nameOf(key);
      if (name !== undefined && idOf(name) === id) return name;
    }
    return undefined;
  }

  /** The newest artifact of a call; one that stands beside another only when there is no other. */
  async #findCallId(callId: string): Promise<Found | undefined> {
    const inName = sanitizeCallId(callId);
    const now = this.#options.now?.() ?? Date.now();
    let before: string | undefined;
    for (const back of LOOK_BACK_MS) {
      const after = back === Number.POSITIVE_INFINITY ? this.layout.artifacts : this.layout.data(nameStamp(now - back));
      const names: string[] = [];
      for await (const { key } of this.bucket.list(this.layout.artifacts, after)) {
        if (before !== undefined && key >= before) break;
        const name = this.layout.nameOf(key);
        if (name !== undefined && (parseArtifactName(name)?.label ?? "").endsWith(inName)) names.push(name);
      }
      const found = await this.#newestOfCall(names, callId);
      if (found !== undefined) return found;
      before = after;
    }
    const open = [...this.#open.values()].reverse().find(({ request }) => request.callId === callId);
    return open && { id: open.id, name: open.name, path: open.path };
  }

  async #newestOfCall(names: readonly string[], callId: string): Promise<Found | undefined> {
    let beside: Found | undefined;
    for (const name of [...names].sort((left, right) => (idOf(left) < idOf(right) ? 1 : -1))) {
      const manifest = await this.#fetchManifest(idOf(name));
      if (manifest?.callId !== callId) continue;
      const found = { id: manifest.id, name, path: this.layout.path(name), manifest };
      if (manifest.relatedTo === undefined) return found;
      beside ??= found;
    }
    return beside;
  }

  async #manifest(id: string): Promise<Manifest | undefined> {
    return this.#manifests.get(id) ?? this.#fetchManifest(id);
  }

  async #fetchManifest(id: string): Promise<Manifest | undefined> {
    const text = await this.bucket.get(this.layout.manifest(id));
    const manifest = text && parseManifest(text.toString("utf8"));
    if (manifest?.id !== id) return undefined;
    this.#remember(manifest);
    return manifest;
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
    this.#indexes.set(id, index);
    if (this.#indexes.size > KNOWN_INDEXES) this.#indexes.delete(this.#indexes.keys().next().value as string);
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

  #remember(manifest: Manifest): void {
    this.#manifests.delete(manifest.id);
    this.#manifests.set(manifest.id, manifest);
    if (this.#manifests.size > KNOWN_MANIFESTS) this.#manifests.delete(this.#manifests.keys().next().value as string);
  }

  async #forget(id: string, name: string | undefined): Promise<void> {
    this.#manifests.delete(id);
    this.#indexes.delete(id);
    await this.#options.cache?.remove(`${id}.idx`);
    if (name !== undefined) await this.#options.cache?.remove(name);
  }

  async #require(id: string): Promise<Found> {
    const found = isArtifactId(id) ? await this.#guard(`look for ${id}`, () => this.#findId(id)) : undefined;
    if (found !== undefined) return found;
    throw this.#notFound(id);
  }

  async #requireReadable(id: string): Promise<{ readonly name: string; readonly bytes: number }> {
    const known = this.#manifests.get(id);
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
      this.#manifests.delete(id);
      return new SpillwayError("ARTIFACT_NOT_FOUND", `the artifact ${id} was removed from ${this.layout.uri}`);
    }
    return error instanceof S3Failure ? bucketFailed(`read ${id}`, error, this.bucket.requests.place) : error;
  }

  #whyUnfinished(id: string): string {
    return this.#open.has(id)
      ? "incomplete: it is being written"
      : "incomplete: it is being written, or its writer ended before it was finished";
  }

  async #describeUnfinished(name: string): Promise<Manifest> {
    const id = idOf(name);
    const request = this.#open.get(id)?.request;
    const parsed = parseArtifactName(name);
    return {
      schema: 1,
      id,
      name,
      tool: request?.tool ?? parsed?.label ?? "tool",
      ...(request?.callId === undefined ? {} : { callId: request.callId }),
      createdAt: new Date(artifactIdTime(id)).toISOString(),
      bytes: (await this.bucket.size(this.layout.data(name))) ?? 0,
      lines: 0,
      sha256: "",
      complete: false,
      reason: this.#whyUnfinished(id),
      ...(request?.relatedTo === undefined ? {} : { relatedTo: request.relatedTo }),
    };
  }

  async #guard<T>(action: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof S3Failure ? bucketFailed(action, error, this.bucket.requests.place) : error;
    }
  }
}

async function* readSource(source: ByteSource, startByte: number, endByte: number): AsyncIterable<Uint8Array> {
  const { readChunks } = await import("../byte-source.ts");
  yield* readChunks(source, startByte, endByte);
}

function idOf(name: string): string {
  return parseArtifactName(name)?.id ?? "";
}

/** How the names of artifacts of this second begin. */
function nameStamp(time: number): string {
  const stamp = new Date(Math.max(0, time)).toISOString().replaceAll(/[-:]/g, "");
  return `tool_${stamp.slice(0, 8)}_${stamp.slice(9, 15)}_`;
}
