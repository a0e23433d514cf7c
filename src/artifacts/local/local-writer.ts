import { constants, open } from "node:fs";
import { lstat, unlink } from "node:fs/promises";
import { promisify } from "node:util";
import { SpillwayError } from "../../errors.ts";
import { artifactIdTime } from "../artifact-id.ts";
import { createArtifactName } from "../artifact-name.ts";
import type { Digest } from "../digest.ts";
import { encodeLineIndex, INDEX_STRIDE } from "../line-index.ts";
import { createManifest } from "../manifest.ts";
import { errorCode, ignoreMissing, plainReason, storeFailed } from "../store-failure.ts";
import type { ArtifactLocation, ArtifactWriter, Completion, CreateArtifact, Manifest } from "../types.ts";
import { DigestingFile } from "./digesting-file.ts";
import { type StoreFolder, writeNew } from "./store-folder.ts";
import { placeWritingMark } from "./writing-mark.ts";

const CREATE_FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
/** Given up at the end of an artifact that filled the disk, so that its manifest and index find room. */
const ROOM_FOR_META_BYTES = 64 * 1024;

const openFile = promisify(open);

type Mark = Awaited<ReturnType<typeof placeWritingMark>>;

/** Opens a new artifact file in the folder. */
export async function openLocalWriter(
  folder: StoreFolder,
  id: string,
  request: CreateArtifact,
  onFinished: (bytes: number) => Promise<void>,
): Promise<ArtifactWriter> {
  const name = createArtifactName({ id, ...request });
  const path = folder.dataPath(name);
  await folder.ensure();
  let mark: Mark | undefined;
  try {
    mark = await placeWritingMark(folder, id, name, request).catch(async (error: unknown) => {
      if (errorCode(error) !== "ENOENT") throw error;
      await folder.recreate();
      return placeWritingMark(folder, id, name, request);
    });
    const fd = await openFile(path, CREATE_FLAGS, 0o600);
    return new LocalWriter(folder, { id, name, path }, request, mark, new DigestingFile(fd, path), onFinished);
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
  readonly #mark: Mark;
  readonly #file: DigestingFile;
  readonly #onFinished: (bytes: number) => Promise<void>;
  #finished: Promise<Manifest> | undefined;
  #discarded = false;

  constructor(
    folder: StoreFolder,
    location: ArtifactLocation,
    request: CreateArtifact,
    mark: Mark,
    file: DigestingFile,
    onFinished: (bytes: number) => Promise<void>,
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
      return Promise.reject(new SpillwayError("INVALID_ARGUMENT", "the artifact is finished; nothing can be added"));
    }
    return this.#file.write(chunk);
  }

  async finish(completion: Completion): Promise<Manifest> {
    if (this.#discarded) throw new SpillwayError("INVALID_ARGUMENT", "the artifact was discarded");
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
    for (const path of [this.path, ...this.#metaPaths()]) await ignoreMissing(unlink(path));
    await this.#mark.lift();
  }

  async #end(completion: Completion): Promise<Manifest> {
    try {
      let ending = completion;
      let digest: Digest;
      try {
        digest = await this.#file.end();
      } catch (error) {
        const failure = storeFailed("write the artifact", error);
        if (completion.complete) ending = { complete: false, reason: failure.message };
        digest = await this.#keepWritten(failure);
      }
      await this.#requireFile();
      const manifest = await this.#record(digest, ending);
      void this.#onFinished(manifest.bytes).catch(() => {});
      return manifest;
    } catch (error) {
      throw storeFailed("finish the artifact", error);
    } finally {
      await this.#file.close();
      await this.#mark.lift().catch(() => {});
    }
  }

  async #keepWritten(failure: SpillwayError): Promise<Digest> {
    const full = ["ENOSPC", "EDQUOT"].includes(errorCode(failure.cause) ?? "");
    const kept = this.#file.writtenBytes - (full ? ROOM_FOR_META_BYTES : 0);
    await this.#file.truncate(Math.max(0, kept));
    return this.#file.digestStored();
  }

  /** A file that was removed still takes bytes through its descriptor; they would be lost in silence. */
  async #requireFile(): Promise<void> {
    const stats = await ignoreMissing(lstat(this.path));
    if (stats?.isFile() && stats.size === this.#file.writtenBytes) return;
    const problem = stats === undefined ? "removed" : "changed by somebody else";
    throw new SpillwayError("STORE_FAILED", `cannot keep the artifact: its file was ${problem} while it was written`);
  }

  async #record(digest: Digest, completion: Completion): Promise<Manifest> {
    const { sha256, index } = digest;
    const manifest = createManifest({
      id: this.id,
      name: this.name,
      createdAt: new Date(artifactIdTime(this.id)).toISOString(),
      request: this.#request,
      bytes: index.bytes,
      lines: index.lines,
      sha256,
      completion,
    });
    if (index.bytes > INDEX_STRIDE) await this.#writeMeta("idx", encodeLineIndex(index)).catch(() => {});
    await this.#writeMeta("json", `${JSON.stringify(manifest, null, 2)}\n`);
    return manifest;
  }

  async #writeMeta(extension: string, content: string | Uint8Array): Promise<void> {
    const path = this.#folder.metaPath(`${this.id}.${extension}`);
    try {
      await writeNew(path, content);
    } catch (error) {
      if (errorCode(error) !== "ENOENT") {
        await ignoreMissing(unlink(path)).catch(() => {});
        throw new SpillwayError("STORE_FAILED", `cannot write the artifact's manifest: ${plainReason(error)}`, {
          cause: error,
        });
      }
      await this.#folder.recreate();
      await writeNew(path, content);
    }
  }

  #metaPaths(): string[] {
    return ["json", "idx"].map((extension) => this.#folder.metaPath(`${this.id}.${extension}`));
  }
}
