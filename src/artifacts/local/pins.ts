import { createHash, randomBytes } from "node:crypto";
import { lstat, rename, unlink } from "node:fs/promises";
import { ignoreMissing, storeFailed } from "../store-failure.ts";
import { readSmall, type StoreFolder, writeNew } from "./store-folder.ts";

/** A pin that its owner has not renewed for this long counts no more. */
const PIN_DAYS = 30;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Replaces what `owner` holds. */
export async function writePins(folder: StoreFolder, owner: string, ids: readonly string[]): Promise<void> {
  await folder.ensure();
  const path = pinPath(folder, owner);
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await writeNew(draft, JSON.stringify({ schema: 1, owner, ids }));
    await rename(draft, path);
  } catch (error) {
    await ignoreMissing(unlink(draft)).catch(() => {});
    throw storeFailed("pin artifacts", error);
  }
}

export async function removePins(folder: StoreFolder, owner: string): Promise<void> {
  await ignoreMissing(unlink(pinPath(folder, owner)));
}

/** Every id that some owner holds; removes pins that nobody renewed. */
export async function readPinnedIds(folder: StoreFolder, metaNames: readonly string[]): Promise<Set<string>> {
  const pinned = new Set<string>();
  for (const name of metaNames) {
    if (!name.startsWith("pins-")) continue;
    const path = folder.metaPath(name);
    const stats = await ignoreMissing(lstat(path));
    if (stats === undefined) continue;
    if (Date.now() - stats.mtimeMs > PIN_DAYS * DAY_MS) {
      await ignoreMissing(unlink(path));
      continue;
    }
    for (const id of parseIds(await readSmall(path))) pinned.add(id);
  }
  return pinned;
}

function parseIds(text: Buffer | undefined): string[] {
  try {
    const { ids } = JSON.parse(text?.toString("utf8") ?? "{}") as { ids?: unknown };
    return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}

function pinPath(folder: StoreFolder, owner: string): string {
  return folder.metaPath(`pins-${createHash("sha256").update(owner).digest("hex").slice(0, 32)}.json`);
}
