import { constants, open } from "node:fs";
import { lstat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { invalidArgument, SpillwayError } from "../../errors.ts";
import { createArtifactName } from "../artifact-name.ts";
import type { Digest } from "../digest.ts";
import { encodeLineIndex, INDEX_STRIDE } from "../line-index.ts";
import { createManifest, type ManifestFacts } from "../manifest.ts";
import { errorCode, ignoreMissing, storeFailed } from "../store-failure.ts";
import type { ArtifactLocation, ArtifactWriter, Completion, CreateArtifact, FinishedArtifact } from "../types.ts";
import { DigestingFile } from "./digesting-file.ts";
import { removeTraces } from "./remove-traces.ts";
import { type StoreFolder, writeNew } from "./store-folder.ts";
import { type PlacedMark, placeWritingMark } from "./writing-mark.ts";

/** Writes index and manifest of an artifact whose bytes are in place; the bytes stay even if this fails. */
export async function recordArtifact(
  folder: StoreFolder,
  mark: PlacedMark,
  record: ManifestFacts & { readonly digest: Digest },
): Promise<FinishedArtifact> {
  const {
    id,
    digest: { index },
  } = record;
  const manifest = createManifest(record);
  try {
    await mark.become(`${JSON.stringify(manifest, null, 2)}\n`);
  } catch (error) {
    return { ...manifest, unrecorded: (error as Error).message };
  }
  if (index.bytes > INDEX_STRIDE) {
    // On a full disk half of it would stay.
    const drop = (meta: string) => unlink(join(meta, `${id}.idx`));
    const write = (meta: string) => writeNew(join(meta, `${id}.idx`), encodeLineIndex(index));
    await folder.inMeta((meta) => write(meta).catch(() => drop(meta))).catch(() => {});
  }
  return manifest;
}

const CREATE_FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

const openFile = promisify(open);

/** Opens a new artifact file in the folder. */
export async function openLocalWriter(
  folder: StoreFolder,
  id: string,
  request: CreateArtifact,
  onFinished: (bytes: number) => void,
): Promise<ArtifactWriter> {
  const name = createArtifactName({ ...request, id });
  const path = folder.dataPath(name);
  await folder.ensure();
  let mark: PlacedMark | undefined;
  try {
    mark = await placeWritingMark(folder, id, name, request).catch(async (error: unknown) => {
      if (errorCode(error) !== "ENOENT") throw error;
      await folder.recreate();
      return placeWritingMark(folder, id, name, request);
    });
    const fd = await folder.inData((data) => openFile(join(data, name), CREATE_FLAGS, 0o600));
    const file = new DigestingFile(fd, path, request.expectedBytes);
    return new LocalWriter(folder, { id, name, path }, request, mark, file, onFinished);
  } catch (error) {
    await mark?.lift().catch(() => {});
    if (errorCode(error) === "EEXIST")
      throw new SpillwayError("ARTIFACT_EXISTS", `the artifact ${name} exists already`);
    throw storeFailed(`create an artifact in ${folder.dir}`, error);
  }
}

class LocalWriter implements ArtifactWriter {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  readonly #folder: StoreFolder;
  readonly #request: CreateArtifact;
  readonly #mark: PlacedMark;
  readonly #file: DigestingFile;
  readonly #onFinished: (bytes: number) => void;
  #finished: Promise<FinishedArtifact> | undefined;
  #discarded = false;

  constructor(
    folder: StoreFolder,
    location: ArtifactLocation,
    request: CreateArtifact,
    mark: PlacedMark,
    file: DigestingFile,
    onFinished: (bytes: number) => void,
  ) {
    this.id = location.id;
    this.name = location.name;
    this.path = location.path;
    this.#folder = folder;
    this.#request = request;
    this.#mark = mark;
    this.#file = file;
    this.#onFinished = onFinished;
  }

  write(chunk: Uint8Array): Promise<void> | undefined {
    if (this.#finished !== undefined || this.#discarded) {
      return Promise.reject(invalidArgument("the artifact is finished; nothing can be added"));
    }
    return this.#file.write(chunk);
  }

  async finish(completion: Completion): Promise<FinishedArtifact> {
    if (this.#discarded) throw invalidArgument("the artifact was discarded");
    this.#finished ??= this.#end(completion);
    const manifest = await this.#finished;
    if (completion.complete && !manifest.complete) {
      throw new SpillwayError("STORE_FAILED", manifest.reason ?? "the artifact was cut short", {
        details: { manifest },
      });
    }
    return manifest;
  }

  async discard(): Promise<void> {
    this.#discarded = true;
    await this.#file.close();
    await this.#mark.lift();
    await removeTraces(this.#folder, this.id, this.name);
  }

  async #end(completion: Completion): Promise<FinishedArtifact> {
    try {
      let ending = completion;
      let digest: Digest;
      try {
        digest = await this.#file.end();
        await this.#file.settle();
      } catch (error) {
        if (completion.complete) ending = { complete: false, reason: storeFailed("write the artifact", error).message };
        await this.#file.truncate(this.#file.writtenBytes);
        digest = await this.#file.digestStored();
      }
      await this.#requireFile();
      const { id, name } = this;
      const record = { id, name, request: this.#request, digest, completion: ending };
      const finished = await recordArtifact(this.#folder, this.#mark, record);
      this.#onFinished(finished.bytes);
      return finished;
    } catch (error) {
      await this.#mark.giveUp();
      throw storeFailed("finish the artifact", error);
    } finally {
      await this.#file.close();
    }
  }

  /** A file that was removed still takes bytes through its descriptor; they would be lost in silence. */
  async #requireFile(): Promise<void> {
    const stats = await ignoreMissing(lstat(this.path));
    if (stats?.isFile() && stats.size === this.#file.writtenBytes) return;
    const problem = stats === undefined ? "removed" : "changed by somebody else";
    throw new SpillwayError("STORE_FAILED", `cannot keep the artifact: its file was ${problem} while it was written`);
  }
}
