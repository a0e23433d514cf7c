import { artifactIdTime } from "../artifacts/artifact-name.ts";
import { DAY_MS, hasToGo, resolveKeeping } from "../artifacts/keeping-rules.ts";
import { sumReports } from "../artifacts/routed-store.ts";
import type { ArtifactStore, Manifest } from "../artifacts/types.ts";
import type { CleanAnswer, Health, VerifyStep } from "./api.ts";
import type { Library } from "./library.ts";

/** How long artifacts stay, and how much room they may take. */
export interface Housekeeping {
  readonly retentionDays: number;
  readonly quotaBytes: number | undefined;
}

/** Usage of the stores, and when artifacts expire. */
export async function healthOf(
  library: Library,
  rules: Housekeeping,
  about: { readonly root: string; readonly writable: boolean },
): Promise<Health> {
  const days = new Map<string, { day: string; artifacts: number; bytes: number }>();
  const stores = [];
  for (const { store, label } of library.stores) {
    const sum = { dir: label, artifacts: 0, bytes: 0, unfinished: 0 };
    for await (const row of store.list()) {
      sum.artifacts++;
      sum.bytes += row.bytes;
      if (!row.complete) sum.unfinished++;
      const day = new Date(artifactIdTime(row.id) + rules.retentionDays * DAY_MS).toISOString().slice(0, 10);
      const leaving = days.get(day) ?? { day, artifacts: 0, bytes: 0 };
      days.set(day, { day, artifacts: leaving.artifacts + 1, bytes: leaving.bytes + row.bytes });
    }
    stores.push(sum);
  }
  return {
    ...about,
    stores: stores.filter(({ artifacts }, at) => artifacts > 0 || at === 0),
    retentionDays: rules.retentionDays,
    ...(rules.quotaBytes === undefined ? {} : { quotaBytes: rules.quotaBytes }),
    leaving: [...days.values()].sort((left, right) => (left.day < right.day ? -1 : 1)),
  };
}

/** Checks every artifact against its manifest, one after the other. */
export async function* verifyAll(library: Library, signal: AbortSignal): AsyncIterable<VerifyStep> {
  const all = [];
  for await (const { id, store } of library.artifacts()) all.push({ id, store });
  yield { done: 0, total: all.length };
  let done = 0;
  for (const { id, store } of all) {
    if (signal.aborted) return;
    const problem = await store.verify(id).then(
      (answer) => (answer.ok ? undefined : answer.problem),
      (error: unknown) => (error as Error).message,
    );
    done++;
    yield { done, total: all.length, id, ...(problem === undefined ? {} : { problem }) };
  }
}

/** Removes artifacts that are expired or over the quota; a dry run lists them, except pinned and unfinished ones. */
export async function clean(library: Library, rules: Housekeeping, dryRun: boolean): Promise<CleanAnswer> {
  if (dryRun) {
    const leaving = [];
    for (const { store } of library.stores) leaving.push(...(await leavingOf(store, rules)));
    const freedBytes = leaving.reduce((sum, { bytes }) => sum + bytes, 0);
    return { dryRun, removed: leaving.map(({ id }) => id), freedBytes };
  }
  const reports = [];
  for (const { store } of library.stores) reports.push(await store.cleanup(rules));
  const { removed, freedBytes } = sumReports(reports);
  return { dryRun, removed, freedBytes };
}

/** Expired artifacts, then the oldest others until the quota holds. */
async function leavingOf(store: ArtifactStore, rules: Housekeeping): Promise<readonly Manifest[]> {
  const rows: Manifest[] = [];
  for await (const row of store.list()) rows.push(row);
  const keeping = resolveKeeping(rules, {});
  let keptBytes = rows.reduce((sum, { bytes }) => sum + bytes, 0);
  return rows.filter(({ id, bytes }) => {
    const goes = hasToGo(keeping, { id }, keptBytes);
    if (goes) keptBytes -= bytes;
    return goes;
  });
}
