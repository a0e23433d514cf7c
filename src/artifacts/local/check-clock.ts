import { unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DAY_MS, isExpired, type KeepingRules, type KeptArtifact, wasAnnounced } from "../keeping-rules.ts";
import { ignoreMissing } from "../store-failure.ts";
import { readSmall, type StoreFolder } from "./store-folder.ts";

/** Holds since when, by the clock, everything here has looked expired. */
const STAMP = "all-expired-since";

/**
 * Says why nothing may be removed yet; undefined when the clock can be believed. If all that is saved looks expired at
 * once, either nobody was here for long, or the clock jumped ahead. So it stays for another day, by that same clock.
 */
export async function checkClock(
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
