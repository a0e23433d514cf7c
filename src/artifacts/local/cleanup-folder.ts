import { lstatSync } from "node:fs";
import { unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { isArtifactId, parseArtifactName } from "../artifact-name.ts";
import { DAY_MS, hasToGo, isExpired, type KeepingRules, type KeptArtifact, wasAnnounced } from "../keeping-rules.ts";
import { ignoreMissing } from "../store-failure.ts";
import type { CleanupReport } from "../types.ts";
import { readPinnedIds } from "./pins.ts";
import { removeTraces } from "./remove-traces.ts";
import { readSmall, type StoreFolder } from "./store-folder.ts";
import { mayBeWriting, readWritingMark } from "./writing-mark.ts";

/** Holds since when, by the clock, everything here has looked expired. */
const STAMP = "all-expired-since";

/**
 * Returns the reason for not removing anything yet; undefined if the clock is plausible. If all artifacts look expired
 * at once, the store was unused for long or the clock jumped ahead. They are then kept for another day by that clock.
 */
async function checkClock(
  folder: StoreFolder,
  rules: KeepingRules,
  artifacts: readonly KeptArtifact[],
): Promise<string | undefined> {
  if (!rules.automatic || !rules.realClock) return undefined;
  const since = Number((await readSmall(folder.metaPath(STAMP)))?.toString("utf8"));
  const older = artifacts.filter((artifact) => !wasAnnounced(rules, artifact));
  if (rules.now > since + DAY_MS) {
    await ignoreMissing(folder.inMeta((meta) => unlink(join(meta, STAMP))));
    return undefined;
  }
  if (!(since <= rules.now)) {
    if (older.length === 0 || !older.every((artifact) => isExpired(rules, artifact))) return undefined;
    await folder.inMeta((meta) => writeFile(join(meta, STAMP), String(rules.now), { mode: 0o600 }));
  }
  const what = older.length === 1 ? "The output saved" : `All ${older.length} outputs saved`;
  return (
    `${what} in ${folder.dir} look expired (older than ${rules.retentionDays} days). If the clock is wrong, correct it; ` +
    "otherwise they are removed in a day, or now by `spillway artifacts clean`."
  );
}

/** Whatever else the process does is never kept waiting longer for the sizes of files. */
const TURN_MS = 2;

/** Removes expired artifacts, then the oldest until the quota holds, then leftovers of vanished artifacts in `.meta`. */
export async function cleanupFolder(folder: StoreFolder, rules: KeepingRules): Promise<CleanupReport> {
  folder.refuseLinks();
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

  const artifacts = await look(folder, names, known);
  let keptBytes = artifacts.reduce((sum, { bytes }) => sum + bytes, 0);
  const clockProblem = await checkClock(folder, rules, artifacts);
  if (clockProblem !== undefined) return { removed: [], freedBytes: 0, keptBytes, clockProblem };
  const removed: string[] = [];
  let freedBytes = 0;
  for (const artifact of artifacts) {
    const { name, id, bytes } = artifact;
    if (!hasToGo(rules, artifact, keptBytes) || (await spared(id))) continue;
    if (rules.dryRun === true || (await removeTraces(folder, id, name))) {
      removed.push(id);
      freedBytes += bytes;
    }
    keptBytes -= bytes;
  }
  if (rules.dryRun === true) return { removed, freedBytes, keptBytes };
  const present = new Set(names.map(({ id }) => id));
  const removeVanished = async (meta: string): Promise<void> => {
    for (const [id, files] of known) {
      if (present.has(id) || (await spared(id))) continue;
      for (const file of files) await ignoreMissing(unlink(join(meta, file)));
    }
  };
  await ignoreMissing(folder.inMeta(removeVanished));
  return { removed, freedBytes, keptBytes };
}

interface Found extends KeptArtifact {
  readonly name: string;
  readonly bytes: number;
}

/** Asked one after the other: a thread for each takes ten times as long, and every short process asks for all. */
async function look(
  folder: StoreFolder,
  names: readonly { name: string; id: string }[],
  meta: ReadonlyMap<string, readonly string[]>,
): Promise<Found[]> {
  const found: Found[] = [];
  let turn = performance.now();
  for (const { name, id } of names) {
    const stats = lstatSync(folder.dataPath(name), { throwIfNoEntry: false });
    // Its database for queries takes room too.
    const rows = meta.get(id)?.includes(`${id}.rows`)
      ? lstatSync(folder.metaPath(`${id}.rows`), { throwIfNoEntry: false })
      : undefined;
    found.push({ name, id, bytes: (stats?.size ?? 0) + (rows?.size ?? 0), modified: stats?.mtimeMs });
    if (performance.now() - turn < TURN_MS) continue;
    await setImmediate();
    turn = performance.now();
  }
  return found;
}
