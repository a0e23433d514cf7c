import { chmod, constants, copyFile, link, unlink } from "node:fs/promises";
import { SpillwayError } from "../../errors.ts";
import { artifactIdTime } from "../artifact-id.ts";
import { createArtifactName } from "../artifact-name.ts";
import { openFileSource } from "../byte-source.ts";
import { digestSource } from "../digest.ts";
import { encodeLineIndex, INDEX_STRIDE } from "../line-index.ts";
import { createManifest } from "../manifest.ts";
import { errorCode, ignoreMissing, storeFailed } from "../store-failure.ts";
import type { ArtifactWriter, Completion, CreateArtifact, Manifest } from "../types.ts";
import { type StoreFolder, writeNew } from "./store-folder.ts";

const GREW = "something still wrote to the output when it was saved; what came later may be missing";

/**
 * Takes a finished file into the folder under an artifact's name, as a second link to the same bytes, or as a copy from
 * another file system. The file itself stays where it is; what is written is only counted.
 */
export async function openAdoptingWriter(
  folder: StoreFolder,
  id: string,
  { adopt = "", ...request }: CreateArtifact,
  onFinished: (bytes: number) => Promise<void>,
): Promise<ArtifactWriter> {
  const name = createArtifactName({ id, ...request });
  const path = folder.dataPath(name);
  await folder.ensure();
  try {
    await takeOver(adopt, path);
  } catch (error) {
    throw storeFailed(`take the output over into ${folder.dir}`, error);
  }
  let writtenBytes = 0;
  const metaPath = (extension: string): string => folder.metaPath(`${id}.${extension}`);
  const discard = async (): Promise<void> => {
    for (const file of [path, metaPath("json"), metaPath("idx")]) await ignoreMissing(unlink(file));
  };
  const record = async (completion: Completion): Promise<Manifest> => {
    const source = await openFileSource(path, { noFollow: true });
    const { sha256, index } = await digestSource(source).finally(() => source.close());
    const grew = index.bytes !== writtenBytes;
    const ending: Completion = completion.complete && grew ? { complete: false, reason: GREW } : completion;
    const createdAt = new Date(artifactIdTime(id)).toISOString();
    const { bytes, lines } = index;
    const manifest = createManifest({ id, name, createdAt, request, bytes, lines, sha256, completion: ending });
    if (bytes > INDEX_STRIDE) await writeNew(metaPath("idx"), encodeLineIndex(index)).catch(() => undefined);
    await writeNew(metaPath("json"), `${JSON.stringify(manifest, null, 2)}\n`);
    return manifest;
  };
  return {
    id,
    name,
    path,
    write(chunk) {
      writtenBytes += chunk.length;
      return undefined;
    },
    async finish(completion) {
      try {
        const manifest = await record(completion);
        void onFinished(manifest.bytes).catch(() => undefined);
        return manifest;
      } catch (error) {
        throw storeFailed("finish the artifact", error);
      }
    },
    discard,
  };
}

async function takeOver(file: string, path: string): Promise<void> {
  try {
    await link(file, path);
  } catch (error) {
    const code = errorCode(error) ?? "";
    if (code === "EEXIST") throw new SpillwayError("ARTIFACT_EXISTS", `the artifact ${path} exists already`);
    if (!["EXDEV", "EPERM", "EMLINK", "ENOTSUP", "EOPNOTSUPP"].includes(code)) throw error;
    await copyFile(file, path, constants.COPYFILE_EXCL).catch(async (failure: unknown) => {
      await ignoreMissing(unlink(path));
      throw failure;
    });
  }
  await chmod(path, 0o600);
}
