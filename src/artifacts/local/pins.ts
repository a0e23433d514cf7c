import { lstat, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { cryptoModule } from "../../builtin-modules.ts";
import { PIN_MS, PIN_PREFIX, parsePin, pinName, renderPin } from "../pin-text.ts";
import { ignoreMissing, storeFailed } from "../store-failure.ts";
import { readSmall, type StoreFolder, writeNew } from "./store-folder.ts";

/** Replaces the pins of `owner`. */
export async function writePins(folder: StoreFolder, owner: string, ids: readonly string[]): Promise<void> {
  await folder.ensure();
  const draft = `${pinName(owner)}.${cryptoModule().randomBytes(6).toString("hex")}`;
  try {
    await folder.inMeta(async (meta) => {
      try {
        await writeNew(join(meta, draft), renderPin(owner, ids));
        await rename(join(meta, draft), join(meta, pinName(owner)));
      } catch (error) {
        await ignoreMissing(unlink(join(meta, draft))).catch(() => {});
        throw error;
      }
    });
  } catch (error) {
    throw storeFailed("pin artifacts", error);
  }
}

export async function removePins(folder: StoreFolder, owner: string): Promise<void> {
  await ignoreMissing(folder.inMeta((meta) => unlink(join(meta, pinName(owner)))));
}

/** All pinned ids; removes pins that expired. */
export async function readPinnedIds(folder: StoreFolder, metaNames: readonly string[]): Promise<Set<string>> {
  const pinned = new Set<string>();
  for (const name of metaNames) {
    if (!name.startsWith(PIN_PREFIX)) continue;
    const path = folder.metaPath(name);
    const stats = await ignoreMissing(lstat(path));
    if (stats === undefined) continue;
    if (Date.now() - stats.mtimeMs > PIN_MS) {
      await ignoreMissing(unlink(path));
      continue;
    }
    for (const id of parsePin(await readSmall(path))) pinned.add(id);
  }
  return pinned;
}
