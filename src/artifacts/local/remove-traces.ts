import { unlink } from "node:fs/promises";
import { join } from "node:path";
import { ignoreMissing } from "../store-failure.ts";
import type { StoreFolder } from "./store-folder.ts";

const META_EXTENSIONS = ["json", "idx", "writing", "unrecorded", "rows"];

/** Removes an artifact with its metadata; false if there was no such file. */
export async function removeTraces(folder: StoreFolder, id: string, name: string): Promise<boolean> {
  const existed = await ignoreMissing(folder.inData((data) => unlink(join(data, name)).then(() => true)));
  await ignoreMissing(
    folder.inMeta(async (meta) => {
      for (const extension of META_EXTENSIONS) await ignoreMissing(unlink(join(meta, `${id}.${extension}`)));
    }),
  );
  return existed === true;
}
