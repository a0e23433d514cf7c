import { chmod, constants, copyFile, link, unlink } from "node:fs/promises";
import { join } from "node:path";
import { SpillwayError } from "../../errors.ts";
import { createArtifactName } from "../artifact-name.ts";
import { openFileSource } from "../byte-source.ts";
import { digestSource } from "../digest.ts";
import { errorCode, ignoreMissing, storeFailed } from "../store-failure.ts";
import type { ArtifactWriter, Completion, CreateArtifact } from "../types.ts";
import { recordArtifact } from "./local-writer.ts";
import { removeTraces } from "./remove-traces.ts";
import type { StoreFolder } from "./store-folder.ts";
import { placeWritingMark } from "./writing-mark.ts";

const GREW = "something still wrote to the output when it was saved; what came later may be missing";

/**
 * Takes a finished file into the folder under an artifact's name, as a second link to the same bytes, or as a copy from
 * another file system. The file itself stays in place; written bytes are only counted.
 */
export async function openAdoptingWriter(
  folder: StoreFolder,
  id: string,
  { adopt = "", ...request }: CreateArtifact,
  onFinished: (bytes: number) => void,
): Promise<ArtifactWriter> {
  const name = createArtifactName({ ...request, id });
  const path = folder.dataPath(name);
  await folder.ensure();
  const mark = await placeWritingMark(folder, id, name, request).catch((error: unknown) => {
    throw storeFailed(`take the output over into ${folder.dir}`, error);
  });
  try {
    await folder.inData((data) => takeOver(adopt, join(data, name)));
  } catch (error) {
    await mark.lift().catch(() => {});
    throw storeFailed(`take the output over into ${folder.dir}`, error);
  }
  let writtenBytes = 0;
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
        const source = await openFileSource(path, { noFollow: true });
        const digest = await digestSource(source).finally(() => source.close());
        const grew = digest.index.bytes !== writtenBytes;
        const ending: Completion = completion.complete && grew ? { complete: false, reason: GREW } : completion;
        const finished = await recordArtifact(folder, mark, { id, name, request, digest, completion: ending });
        onFinished(finished.bytes);
        return finished;
      } catch (error) {
        await mark.giveUp();
        throw storeFailed("finish the artifact", error);
      }
    },
    async discard() {
      await mark.lift();
      await removeTraces(folder, id, name);
    },
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
