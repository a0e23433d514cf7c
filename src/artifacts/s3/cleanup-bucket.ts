import { parseArtifactName } from "../artifact-name.ts";
import { hasToGo, type KeepingRules } from "../keeping-rules.ts";
import type { CleanupReport } from "../types.ts";
import type { Bucket } from "./bucket.ts";
import { readPinnedIds } from "./pin-objects.ts";
import type { S3Layout } from "./s3-layout.ts";

export interface CleanupBucketOptions extends KeepingRules {
  /** What nobody added to for this long is not being written any more. */
  readonly abandonedAfterMs: number;
  /** True while this process writes it. */
  readonly isOpen: (id: string) => boolean;
}

/** Removes expired artifacts, then the oldest until the quota holds, and ends uploads that a crash left behind. */
export async function cleanupBucket(
  bucket: Bucket,
  layout: S3Layout,
  options: CleanupBucketOptions,
): Promise<CleanupReport> {
  const meta = await all(bucket.list(layout.meta));
  const keysOf = new Map<string, string[]>();
  const committed = new Set<string>();
  for (const { key } of meta) {
    const id = layout.idOf(key);
    if (id === undefined) continue;
    keysOf.set(id, [...(keysOf.get(id) ?? []), key]);
    if (key.endsWith(".json")) committed.add(id);
  }
  const artifacts = (await all(bucket.list(layout.artifacts))).flatMap(({ key, bytes, modified }) => {
    const id = parseArtifactName(layout.nameOf(key) ?? "")?.id;
    return id === undefined ? [] : [{ id, key, bytes, modified }];
  });
  artifacts.sort((left, right) => (left.id < right.id ? -1 : 1));
  const pinned = await readPinnedIds(bucket, layout, meta);
  const abandoned = (modified: number) => Date.now() - modified > options.abandonedAfterMs;

  let keptBytes = artifacts.reduce((sum, { bytes }) => sum + bytes, 0);
  let freedBytes = 0;
  const removed: string[] = [];
  const doomed: string[] = [];
  for (const { id, key, bytes, modified } of artifacts) {
    if (!hasToGo(options, { id, modified }, keptBytes)) continue;
    if (pinned.has(id) || options.isOpen(id) || (!committed.has(id) && !abandoned(modified))) continue;
    removed.push(id);
    doomed.push(key, ...(keysOf.get(id) ?? []));
    freedBytes += bytes;
    keptBytes -= bytes;
  }
  if (options.dryRun === true) return { removed, freedBytes, keptBytes };
  // Manifests first: what has none is no artifact, whatever a crash leaves of it.
  const manifests = doomed.filter((key) => key.endsWith(".json") && key.startsWith(layout.meta));
  await bucket.remove(manifests);
  await bucket.remove(doomed.filter((key) => !manifests.includes(key)));
  const abortedUploads = await abortLeft(bucket, layout, options, abandoned);
  return { removed, freedBytes, keptBytes, ...(abortedUploads > 0 && { abortedUploads }) };
}

async function abortLeft(
  bucket: Bucket,
  layout: S3Layout,
  options: CleanupBucketOptions,
  abandoned: (modified: number) => boolean,
): Promise<number> {
  let aborted = 0;
  for (const upload of await all(bucket.listUploads(layout.artifacts))) {
    const id = parseArtifactName(layout.nameOf(upload.key) ?? "")?.id;
    if (id === undefined || options.isOpen(id) || !abandoned(upload.started)) continue;
    const last = await bucket.lastPart(upload);
    if (last === undefined || !abandoned(last.modified)) continue;
    await bucket.abortUpload(upload.key, upload.uploadId);
    aborted += 1;
  }
  return aborted;
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
