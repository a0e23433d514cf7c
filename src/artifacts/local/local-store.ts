import { lstat } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { invalidArgument, SpillwayError } from "../../errors.ts";
import { checkOptions, kinds } from "../../limits/options.ts";
import { createArtifactId, idOf, isArtifactId, parseArtifactName, sanitizeCallId } from "../artifact-name.ts";
import { type ByteSource, closing, openFileSource, readChunks } from "../byte-source.ts";
import { compareWithManifest, digestSource } from "../digest.ts";
import { leadsThroughShared } from "../hold-folder.ts";
import { QuotaKeeper, resolveKeeping } from "../keeping-rules.ts";
import { decodeLineIndex, encodeLineIndex, type LineIndex } from "../line-index.ts";
import { describeUnfinished, parseManifest } from "../manifest.ts";
import { STORE_CHECKS } from "../option-checks.ts";
import { readLinesFrom, scanLineIndex } from "../read-lines.ts";
import { errorCode, ignoreMissing, storeFailed } from "../store-failure.ts";
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
import { openAdoptingWriter } from "./adopting-writer.ts";
import { cleanupFolder } from "./cleanup-folder.ts";
import { openLocalWriter } from "./local-writer.ts";
import { removePins, writePins } from "./pins.ts";
import { removeTraces } from "./remove-traces.ts";
import { readSmall, StoreFolder } from "./store-folder.ts";
import { readWritingMark, writerAlive } from "./writing-mark.ts";

export interface LocalStoreOptions {
  /** The store's folder, relative to the root or absolute; created with the first artifact. */
  readonly dir: string;
  /** The folder that the store lies below. @default process.cwd() */
  readonly root?: string | undefined;
  /** Saved outputs older than this are removed. @default 7 */
  readonly retentionDays?: number | undefined;
  /** Most bytes of saved outputs; the oldest go first. @default no quota */
  readonly quotaBytes?: number | undefined;
  /** The clock that ids and retention follow, in milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** A store in a folder. */
export interface LocalStore extends ArtifactStore {
  /** Absolute path of the folder. */
  readonly dir: string;
}

/** Keeps artifacts as plain files in a private folder. */
export function createLocalStore(options: LocalStoreOptions): LocalStore {
  const checks = { ...STORE_CHECKS, dir: kinds.text, root: kinds.text };
  if (options?.dir === undefined) throw invalidArgument("createLocalStore() needs dir, the folder for the artifacts.");
  return new LocalArtifactStore(checkOptions(options, checks, "createLocalStore()"));
}

class LocalArtifactStore implements LocalStore {
  readonly #folder: StoreFolder;
  readonly #options: LocalStoreOptions;
  readonly #quota: QuotaKeeper;

  constructor(options: LocalStoreOptions) {
    this.#options = options;
    this.#folder = new StoreFolder(options.dir, options.root);
    this.#quota = new QuotaKeeper(options.quotaBytes, () => this.cleanup({ automatic: true }));
  }

  get dir(): string {
    return this.#folder.dir;
  }

  create(request: CreateArtifact): Promise<ArtifactWriter> {
    kinds.object(request, "The request for create()");
    const id = request.id ?? createArtifactId(this.#options.now?.());
    const open = request.adopt === undefined ? openLocalWriter : openAdoptingWriter;
    return open(this.#folder, id, request, (bytes) => this.#quota.add(bytes));
  }

  async find(reference: string): Promise<FoundArtifact | undefined> {
    kinds.text(reference, "The id, path or call id for find()");
    const found = await this.#find(reference);
    if (found !== undefined) await this.#refuseChanged(found);
    return found;
  }

  async #find(reference: string): Promise<FoundArtifact | undefined> {
    if (reference === "") return undefined;
    const name = basename(reference);
    if (parseArtifactName(name) !== undefined) return this.#isHere(reference) ? this.#findName(name) : undefined;
    if (isArtifactId(reference)) {
      const found = await this.#findId(reference);
      if (found !== undefined) return found;
    }
    return this.#findCallId(reference);
  }

  async *list(): AsyncIterable<Manifest & { readonly path: string }> {
    for (const name of await this.#dataNames()) {
      const found = await this.#findName(name);
      if (found === undefined) continue;
      yield { ...(found.manifest ?? (await this.#describeUnfinished(found))), path: found.path };
    }
  }

  async *read(id: string, range?: ByteRange): AsyncIterable<Uint8Array> {
    const source = await this.open(id);
    try {
      yield* readChunks(source, range?.startByte, range?.endByte);
    } finally {
      await source.close();
    }
  }

  async open(id: string): Promise<ByteSource> {
    const found = await this.#require(id);
    try {
      return await openFileSource(found.path, { noFollow: true });
    } catch (error) {
      if (errorCode(error) === "ENOENT") {
        throw new SpillwayError("ARTIFACT_NOT_FOUND", `the artifact ${id} was removed from ${this.#folder.dir}`);
      }
      throw storeFailed(`read ${found.name}`, error);
    }
  }

  async readLines(id: string, request: LinesRequest): Promise<LinesAnswer> {
    return closing(await this.open(id), async (source) => {
      const index = (await this.#readIndex(id, source)) ?? (await scanLineIndex(source));
      return readLinesFrom(source, index, request);
    });
  }

  async verify(id: string): Promise<Verification> {
    const found = await this.#locate(id);
    if (found.manifest === undefined) return { ok: false, problem: await this.#whyUnfinished(id) };
    const digest = await closing(await openFileSource(found.path, { noFollow: true }), digestSource);
    const compared = compareWithManifest(found.manifest, digest);
    const index = compared.ok ? await readSmall(this.#folder.metaPath(`${id}.idx`)) : undefined;
    if (index === undefined || encodeLineIndex(digest.index).every((byte, at) => byte === index[at])) return compared;
    return { ok: false, problem: "its line index is damaged; its content is whole", manifest: found.manifest };
  }

  async remove(id: string): Promise<boolean> {
    const found = await this.#findId(id);
    if (found === undefined) return false;
    return removeTraces(this.#folder, id, found.name).catch((error: unknown) => {
      throw storeFailed(`remove ${found.name}`, error);
    });
  }

  async cleanup(options: CleanupOptions = {}): Promise<CleanupReport> {
    try {
      return await cleanupFolder(this.#folder, resolveKeeping(options, this.#options));
    } catch (error) {
      throw storeFailed("clean up the artifact folder", error);
    }
  }

  pin(owner: string, ids: readonly string[]): Promise<void> {
    return writePins(this.#folder, owner, ids);
  }

  unpin(owner: string): Promise<void> {
    return removePins(this.#folder, owner);
  }

  #isHere(reference: string): boolean {
    if (basename(reference) === reference) return true;
    const folders = [dirname(resolve(this.#folder.root, reference)), dirname(resolve(reference))];
    return folders.includes(this.#folder.dir);
  }

  async #dataNames(): Promise<string[]> {
    const names = (await this.#folder.names("data")).filter((name) => parseArtifactName(name) !== undefined);
    return names.sort((left, right) => (idOf(left) < idOf(right) ? -1 : 1));
  }

  async #findName(name: string): Promise<FoundArtifact | undefined> {
    const path = this.#folder.dataPath(name);
    const stats = await ignoreMissing(lstat(path));
    if (!stats?.isFile()) return undefined;
    const id = idOf(name);
    const manifest = await this.#readManifest(id);
    return { id, name, path, ...(manifest?.name === name ? { manifest } : {}) };
  }

  async #findId(id: string): Promise<FoundArtifact | undefined> {
    const known = (await this.#readManifest(id))?.name ?? (await readWritingMark(this.#folder, id))?.name;
    if (known !== undefined && parseArtifactName(known)?.id === id) {
      const found = await this.#findName(known);
      if (found !== undefined) return found;
    }
    const name = (await this.#folder.names("data")).find((each) => parseArtifactName(each)?.id === id);
    return name === undefined ? undefined : this.#findName(name);
  }

  /** The newest artifact of a call; a companion only if there is no main artifact. */
  async #findCallId(callId: string): Promise<FoundArtifact | undefined> {
    const inName = sanitizeCallId(callId);
    let beside: FoundArtifact | undefined;
    for (const name of (await this.#dataNames()).reverse()) {
      if (!(parseArtifactName(name)?.label ?? "").endsWith(inName)) continue;
      const found = await this.#findName(name);
      if (found === undefined) continue;
      const request = found.manifest ?? (await readWritingMark(this.#folder, found.id))?.request;
      const matches = request === undefined ? labelHolds(name, inName) : request.callId === callId;
      if (!matches) continue;
      if (request?.relatedTo === undefined) return found;
      beside ??= found;
    }
    return beside;
  }

  async #readManifest(id: string): Promise<Manifest | undefined> {
    const text = await readSmall(this.#folder.metaPath(`${id}.json`));
    const manifest = text && parseManifest(text.toString("utf8"));
    return manifest?.id === id ? manifest : undefined;
  }

  async #readIndex(id: string, source: ByteSource): Promise<LineIndex | undefined> {
    const bytes = await readSmall(this.#folder.metaPath(`${id}.idx`));
    const index = bytes && decodeLineIndex(bytes);
    return index?.bytes === source.size ? index : undefined;
  }

  /**
   * If other users can replace files, the bytes are verified against the manifest, which must belong to this user.
   * This reads the whole file, which is the price of such a folder.
   */
  async #refuseChanged({ manifest, name, path }: FoundArtifact): Promise<void> {
    if (!leadsThroughShared(this.#folder.root, this.#folder.dir)) return;
    const unchanged =
      manifest !== undefined &&
      compareWithManifest(manifest, await closing(await openFileSource(path, { noFollow: true }), digestSource)).ok;
    if (unchanged) return;
    throw new SpillwayError(
      "STORE_FAILED",
      `the artifact ${name} is not what was saved, or was saved by another user; other users can write to ${this.#folder.dir}`,
    );
  }

  async #require(id: string): Promise<FoundArtifact> {
    const found = await this.#locate(id);
    await this.#refuseChanged(found);
    return found;
  }

  async #locate(id: string): Promise<FoundArtifact> {
    const found = isArtifactId(id) ? await this.#findId(id) : undefined;
    if (found !== undefined) return found;
    throw new SpillwayError("ARTIFACT_NOT_FOUND", `there is no artifact ${id} in ${this.#folder.dir}`);
  }

  async #whyUnfinished(id: string): Promise<string> {
    const mark = await readWritingMark(this.#folder, id);
    if (mark === undefined) return "incomplete: it has no manifest";
    if (mark.unrecorded) return "incomplete: its manifest is missing, which could not be written when it was finished";
    return writerAlive(mark)
      ? "incomplete: it is being written"
      : "incomplete: the writer ended before it was finished";
  }

  async #describeUnfinished({ id, name }: FoundArtifact): Promise<Manifest> {
    const request = (await readWritingMark(this.#folder, id))?.request;
    const index = await closing(await this.open(id), scanLineIndex);
    return describeUnfinished(name, request, index, await this.#whyUnfinished(id));
  }
}

function labelHolds(name: string, callId: string): boolean {
  return callId !== "" && (parseArtifactName(name)?.label ?? "").endsWith(`_${callId}`);
}
