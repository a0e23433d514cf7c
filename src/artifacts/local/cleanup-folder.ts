import { lstat, unlink } from "node:fs/promises";
import { artifactIdTime, isArtifactId } from "../artifact-id.ts";
import { parseArtifactName } from "../artifact-name.ts";
import { ignoreMissing } from "../store-failure.ts";
import type { CleanupReport } from "../types.ts";
import { readPinnedIds } from "./pins.ts";
import type { StoreFolder } from "./store-folder.ts";
import { mayBeWriting, readWritingMark } from "./writing-mark.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

export interface CleanupFolderOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly retentionDays: number;
  /** `Infinity` for none. */
  readonly quotaBytes: number;
}

/** Removes expired artifacts, then the oldest until the quota holds, then what `.meta` keeps of vanished ones. */
export async function cleanupFolder(folder: StoreFolder, options: CleanupFolderOptions): Promise<CleanupReport> {
  await folder.refuseLinks();
  // `.meta` first: whatever is created after it was read is unknown and therefore safe.
  const metaNames = await folder.names("meta");
  const known = new Map<string, string[]>();
  for (const name of metaNames) {
    const id = name.slice(0, name.indexOf("."));
    if (isArtifactId(id)) known.set(id, [...(known.get(id) ?? []), name]);
  }
  const names = (await folder.names("data")).flatMap((name) => {
    const parsed = parseArtifactName(name);
    return parsed !== undefined && known.has(parsed.id) ? [{ name, id: parsed.id }] : [];
  });
  names.sort((left, right) => (left.id < right.id ? -1 : 1));
  const pinned = await readPinnedIds(folder, metaNames);
  const spared = async (id: string): Promise<boolean> => {
    if (pinned.has(id)) return true;
    const mark = await readWritingMark(folder, id);
    return mark !== undefined && mayBeWriting(mark);
  };

  const cutoff = options.now - options.retentionDays * DAY_MS;
  const stats = await Promise.all(names.map(({ name }) => ignoreMissing(lstat(folder.dataPath(name)))));
  const sizes = stats.map((each) => each?.size ?? 0);
  let keptBytes = sizes.reduce((sum, size) => sum + size, 0);
  const removed: string[] = [];
  let freedBytes = 0;
  for (const [at, { name, id }] of names.entries()) {
    const bytes = sizes[at] as number;
    if (artifactIdTime(id) >= cutoff && keptBytes <= options.quotaBytes) break;
    if (await spared(id)) continue;
    if ((await ignoreMissing(unlink(folder.dataPath(name)).then(() => true))) === true) {
      removed.push(id);
      freedBytes += bytes;
    }
    keptBytes -= bytes;
    await removeMeta(folder, known.get(id) ?? []);
  }
  const present = new Set(names.map(({ id }) => id));
  for (const [id, files] of known) if (!present.has(id) && !(await spared(id))) await removeMeta(folder, files);
  return { removed, freedBytes, keptBytes };
}

async function removeMeta(folder: StoreFolder, files: readonly string[]): Promise<void> {
  for (const file of files) await ignoreMissing(unlink(folder.metaPath(file)));
}
