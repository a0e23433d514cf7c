import { invalidArgument, SpillwayError } from "../../errors.ts";
import { createArtifactName } from "../artifact-name.ts";
import { DigestBuilder } from "../digest.ts";
import { encodeLineIndex, INDEX_STRIDE } from "../line-index.ts";
import { createManifest } from "../manifest.ts";
import type {
  ArtifactStore,
  ArtifactWriter,
  Completion,
  CreateArtifact,
  FinishedArtifact,
  Manifest,
} from "../types.ts";
import type { Bucket } from "./bucket.ts";
import type { PartBuffer } from "./part-upload.ts";
import { PartUpload } from "./part-upload.ts";
import { bucketFailed, describeFailure } from "./s3-failure.ts";
import type { S3Layout } from "./s3-layout.ts";

/** State shared by all writers of a store. */
export interface S3WriterContext {
  readonly bucket: Bucket;
  readonly layout: S3Layout;
  readonly partBytes: number;
  /** Where bytes go that the bucket does not take; none loses them. */
  readonly spool: ArtifactStore | undefined;
  /** Why the bucket is not even tried at present. */
  readonly unavailable: () => string | undefined;
  readonly onFailure: (reason: string) => void;
  readonly onClosed: (id: string, manifest?: Manifest) => void;
}

/** Streams an artifact into a bucket: small ones in one request, others in parts; the manifest, last, commits it. */
export class S3Writer implements ArtifactWriter {
  readonly id: string;
  readonly name: string;
  readonly request: CreateArtifact;
  readonly #context: S3WriterContext;
  readonly #digest = new DigestBuilder();
  readonly #upload: PartUpload;
  #buffer: PartBuffer;
  /** Holds sent parts until they are complete, and all later bytes once the bucket failed. */
  #spool: ArtifactWriter | undefined;
  #spoolFailed = false;
  /** Why the artifact goes to the spool. */
  #failure: { readonly error: unknown; readonly reason: string } | undefined;
  #filling: Promise<void> | undefined;
  #finished: Promise<FinishedArtifact> | undefined;
  #discarded = false;

  constructor(id: string, request: CreateArtifact, context: S3WriterContext) {
    this.id = id;
    this.request = request;
    this.name = createArtifactName({ ...request, id });
    this.#context = context;
    const { bucket, layout, partBytes } = context;
    this.#upload = new PartUpload(bucket, layout.data(this.name), contentType(this.name), partBytes);
    this.#buffer = this.#upload.nextBuffer();
    const reason = context.unavailable();
    if (reason !== undefined) this.#failure = { error: new Error(reason), reason };
  }

  /** The bucket's, until the artifact had to go elsewhere. */
  get path(): string {
    return this.#failure !== undefined && this.#spool !== undefined
      ? this.#spool.path
      : this.#context.layout.path(this.name);
  }

  write(chunk: Uint8Array): Promise<void> | undefined {
    if (this.#finished !== undefined || this.#discarded) {
      return Promise.reject(invalidArgument("the artifact is finished; nothing can be added"));
    }
    if (this.#filling !== undefined) {
      // A caller that did not wait: its bytes keep their order.
      const copy = Uint8Array.from(chunk);
      return this.#track(this.#filling.then(() => this.#take(copy)));
    }
    const filling = this.#take(chunk);
    return filling === undefined ? undefined : this.#track(filling);
  }

  async finish(completion: Completion): Promise<FinishedArtifact> {
    if (this.#discarded) throw invalidArgument("the artifact was discarded");
    this.#finished ??= this.#end(completion);
    return this.#finished;
  }

  async discard(): Promise<void> {
    this.#discarded = true;
    this.#context.onClosed(this.id);
    await this.#filling?.catch(() => undefined);
    await Promise.all([this.#upload.abort(), this.#spool?.discard()]);
    const { bucket, layout } = this.#context;
    if (this.#finished !== undefined && this.#failure === undefined)
      await bucket.remove([layout.manifest(this.id), layout.data(this.name), layout.index(this.id)]);
  }

  #take(chunk: Uint8Array): Promise<void> | undefined {
    if (this.#failure !== undefined) return this.#put(chunk);
    const taken = this.#buffer.take(chunk);
    this.#digest.add(chunk.subarray(0, taken));
    if (!this.#buffer.full) return undefined;
    return this.#sendPart().then(async () => {
      const rest = chunk.subarray(taken);
      if (rest.length > 0) await (this.#failure === undefined ? this.#takeRest(rest) : this.#put(rest));
    });
  }

  async #takeRest(chunk: Uint8Array): Promise<void> {
    for (let rest = chunk; rest.length > 0; ) {
      if (this.#failure !== undefined) return this.#put(rest);
      const taken = this.#buffer.take(rest);
      this.#digest.add(rest.subarray(0, taken));
      rest = rest.subarray(taken);
      if (this.#buffer.full) await this.#sendPart();
    }
  }

  /** A part is spooled before it is sent, because bytes that left memory cannot be sent again. */
  async #sendPart(): Promise<void> {
    const part = this.#buffer;
    await this.#keep(part.bytes);
    this.#buffer = this.#upload.nextBuffer();
    try {
      await this.#upload.add(part);
    } catch (error) {
      await this.#fail(error);
    }
  }

  async #end(completion: Completion): Promise<FinishedArtifact> {
    try {
      await this.#filling;
      if (this.#failure === undefined) {
        try {
          const manifest = await this.#commit(completion);
          await this.#spool?.discard().catch(() => undefined);
          this.#context.onClosed(this.id, manifest);
          return manifest;
        } catch (error) {
          await this.#fail(error);
        }
      }
      return await this.#finishSpool(completion);
    } finally {
      this.#context.onClosed(this.id);
    }
  }

  async #commit(completion: Completion): Promise<Manifest> {
    const { id, name, request } = this;
    const { bucket, layout } = this.#context;
    const last = this.#buffer;
    if (this.#upload.begun) {
      if (last.bytes.length > 0) await this.#sendPart();
      if (this.#failure !== undefined) throw this.#failure.error;
      await this.#upload.complete();
    } else await bucket.put(layout.data(name), last.bytes, contentType(name));
    const digest = this.#digest.finish();
    const { index } = digest;
    const manifest = createManifest({ id, name, request, digest, completion });
    if (index.bytes > INDEX_STRIDE)
      await bucket.put(layout.index(id), encodeLineIndex(index), "application/octet-stream");
    await commitManifest(bucket, layout, manifest);
    return manifest;
  }

  /** From now on, bytes go only to the spool, which already has those that left memory. */
  async #fail(error: unknown): Promise<void> {
    if (this.#failure !== undefined) return;
    const { place } = this.#context.bucket.requests;
    this.#failure = { error, reason: describeFailure(error, place) };
    this.#context.onFailure(this.#failure.reason);
    void this.#upload.abort();
    if (!this.#spoolFailed) await this.#keep(this.#buffer.bytes);
    this.#buffer.clear();
    if (this.#spoolFailed || this.#context.spool === undefined) throw bucketFailed("write the artifact", error, place);
  }

  async #put(chunk: Uint8Array): Promise<void> {
    await this.#keep(chunk);
    if (this.#spool === undefined || this.#spoolFailed)
      throw bucketFailed("write the artifact", this.#failure?.error, this.#context.bucket.requests.place);
  }

  /** Writes bytes to the spool; a failure is recorded and matters only if the bucket fails too. */
  async #keep(bytes: Uint8Array): Promise<void> {
    const { spool } = this.#context;
    if (spool === undefined || this.#spoolFailed) return;
    try {
      this.#spool ??= await spool.create({ ...this.request, id: this.id });
      await this.#spool.write(bytes);
    } catch {
      this.#spoolFailed = true;
    }
  }

  async #finishSpool(completion: Completion): Promise<FinishedArtifact> {
    const { bucket, layout } = this.#context;
    await this.#keep(new Uint8Array(0));
    if (this.#spool === undefined || this.#spoolFailed)
      throw bucketFailed("write the artifact", this.#failure?.error, bucket.requests.place);
    const finished = await this.#spool.finish(completion);
    return { ...finished, spooled: `${layout.uri} did not take it: ${this.#failure?.reason}` };
  }

  #track(filling: Promise<void>): Promise<void> {
    const done = () => {
      if (this.#filling === filling) this.#filling = undefined;
    };
    this.#filling = filling;
    filling.then(done, done);
    return filling;
  }
}

/** Writes the manifest, which makes the artifact exist; an existing one must be identical. */
export async function commitManifest(bucket: Bucket, layout: S3Layout, manifest: Manifest): Promise<void> {
  const body = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  if (await bucket.putNew(layout.manifest(manifest.id), body, "application/json")) return;
  throw new SpillwayError("ARTIFACT_EXISTS", `the artifact ${manifest.name} exists already`);
}

/** The media type with which browsers and consoles display the object. */
export function contentType(name: string): string {
  if (name.endsWith(".json")) return "application/json";
  return name.endsWith(".txt") ? "text/plain; charset=utf-8" : "application/octet-stream";
}
