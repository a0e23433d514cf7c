import { remember } from "../../bytes/remember.ts";
import { artifactIdTime, idOf, isArtifactId, nameStamp, parseArtifactName, sanitizeCallId } from "../artifact-name.ts";
import { hasToGo, type KeepingRules } from "../keeping-rules.ts";
import { describeUnfinished, parseManifest } from "../manifest.ts";
import type { CleanupReport, FoundArtifact, Manifest } from "../types.ts";
import type { Bucket } from "./bucket.ts";
import { readPinnedIds } from "./pin-objects.ts";
import type { S3Layout } from "./s3-layout.ts";
import type { S3Writer } from "./s3-writer.ts";

export interface CleanupBucketOptions extends KeepingRules {
  /** An upload without progress for this long counts as abandoned. */
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
  // Manifests first: an artifact without one does not exist, whatever remains after a crash.
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

/** A listed artifact whose details are requested lazily. */
export type LoadManifest = () => Promise<Manifest | undefined>;

const KNOWN_MANIFESTS = 1000;
const HOUR_MS = 60 * 60 * 1000;
/** How far back a call id is looked for, a step at a time: names sort by time, and a call is mostly a recent one. */
const LOOK_BACK_MS = [HOUR_MS, 24 * HOUR_MS, 7 * 24 * HOUR_MS, Number.POSITIVE_INFINITY];

/** Which artifacts a bucket has, finished or not. */
export class BucketCatalog {
  /** Those that this process is writing. */
  readonly open = new Map<string, S3Writer>();
  readonly #bucket: Bucket;
  readonly #layout: S3Layout;
  readonly #now: () => number;
  readonly #manifests = new Map<string, Manifest>();

  constructor(bucket: Bucket, layout: S3Layout, now: () => number = Date.now) {
    this.#bucket = bucket;
    this.#layout = layout;
    this.#now = now;
  }

  /** By id, file name, call id or path. */
  async find(reference: string): Promise<FoundArtifact | undefined> {
    const name = this.#layout.nameIn(reference);
    if (name !== undefined) return this.#findName(name);
    if (reference.startsWith("s3://")) return undefined;
    return (isArtifactId(reference) ? await this.findId(reference) : undefined) ?? this.#findCallId(reference);
  }

  async findId(id: string): Promise<FoundArtifact | undefined> {
    const manifest = await this.#fetch(id);
    const name = manifest?.name ?? this.open.get(id)?.name ?? (await this.#unfinishedName(id));
    return name === undefined ? undefined : { id, name, path: this.#layout.path(name), ...(manifest && { manifest }) };
  }

  /** All, oldest first. */
  async list(): Promise<readonly LoadManifest[]> {
    const committed = new Set<string>();
    for await (const { key } of this.#bucket.list(this.#layout.meta)) {
      const id = this.#layout.idOf(key);
      if (id !== undefined && key.endsWith(".json")) committed.add(id);
    }
    const rows = new Map<string, LoadManifest>();
    for await (const { key } of this.#bucket.list(this.#layout.artifacts)) {
      const name = this.#layout.nameOf(key);
      if (name === undefined) continue;
      const id = idOf(name);
      rows.set(id, () => (committed.has(id) ? this.#load(id) : this.#describeUnfinished(name)));
    }
    for (const { id, name } of this.open.values()) rows.set(id, () => this.#describeUnfinished(name));
    for await (const { key } of this.#bucket.listUploads(this.#layout.artifacts)) {
      const name = this.#layout.nameOf(key);
      if (name !== undefined && !rows.has(idOf(name))) rows.set(idOf(name), () => this.#describeUnfinished(name));
    }
    return [...rows].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, load]) => load);
  }

  /** Details from an earlier listing, without a request. */
  known(id: string): Manifest | undefined {
    return this.#manifests.get(id);
  }

  /** A writer has ended, with a manifest when the artifact is in the bucket. */
  closed(id: string, manifest: Manifest | undefined): void {
    this.open.delete(id);
    if (manifest !== undefined) this.#remember(manifest);
  }

  forget(id: string): void {
    this.#manifests.delete(id);
  }

  whyUnfinished(id: string): string {
    return this.open.has(id)
      ? "incomplete: it is being written"
      : "incomplete: it is being written, or its writer ended before it was finished";
  }

  async #findName(name: string): Promise<FoundArtifact | undefined> {
    const id = idOf(name);
    const manifest = await this.#fetch(id);
    if (manifest?.name === name) return { id, name, path: this.#layout.path(name), manifest };
    const unfinished =
      this.open.get(id)?.name === name || (await this.#bucket.size(this.#layout.data(name))) !== undefined;
    return unfinished ? { id, name, path: this.#layout.path(name) } : undefined;
  }

  /** Names begin with their time, which is in the id. */
  async #unfinishedName(id: string): Promise<string | undefined> {
    const stamp = nameStamp(artifactIdTime(id));
    for await (const { key } of this.#bucket.list(this.#layout.data(stamp))) {
      const name = this.#layout.nameOf(key);
      if (name !== undefined && idOf(name) === id) return name;
    }
    return undefined;
  }

  /** The newest artifact of a call; a companion only if there is no main artifact. */
  async #findCallId(callId: string): Promise<FoundArtifact | undefined> {
    const inName = sanitizeCallId(callId);
    const now = this.#now();
    const { artifacts } = this.#layout;
    let before: string | undefined;
    for (const back of LOOK_BACK_MS) {
      const after = back === Number.POSITIVE_INFINITY ? artifacts : this.#layout.data(nameStamp(now - back));
      const names: string[] = [];
      for await (const { key } of this.#bucket.list(artifacts, after)) {
        if (before !== undefined && key >= before) break;
        const name = this.#layout.nameOf(key);
        if (name !== undefined && (parseArtifactName(name)?.label ?? "").endsWith(inName)) names.push(name);
      }
      const found = await this.#newestOfCall(names, callId);
      if (found !== undefined) return found;
      before = after;
    }
    const open = [...this.open.values()].reverse().find(({ request }) => request.callId === callId);
    return open && { id: open.id, name: open.name, path: open.path };
  }

  async #newestOfCall(names: readonly string[], callId: string): Promise<FoundArtifact | undefined> {
    let beside: FoundArtifact | undefined;
    for (const name of [...names].sort((left, right) => (idOf(left) < idOf(right) ? 1 : -1))) {
      const manifest = await this.#fetch(idOf(name));
      if (manifest?.callId !== callId) continue;
      const found = { id: manifest.id, name, path: this.#layout.path(name), manifest };
      if (manifest.relatedTo === undefined) return found;
      beside ??= found;
    }
    return beside;
  }

  async #load(id: string): Promise<Manifest | undefined> {
    return this.known(id) ?? this.#fetch(id);
  }

  async #fetch(id: string): Promise<Manifest | undefined> {
    const text = await this.#bucket.get(this.#layout.manifest(id));
    const manifest = text && parseManifest(text.toString("utf8"));
    if (manifest?.id !== id) return undefined;
    this.#remember(manifest);
    return manifest;
  }

  #remember(manifest: Manifest): void {
    remember(this.#manifests, manifest.id, manifest, KNOWN_MANIFESTS);
  }

  async #describeUnfinished(name: string): Promise<Manifest> {
    const id = idOf(name);
    const bytes = (await this.#bucket.size(this.#layout.data(name))) ?? 0;
    return describeUnfinished(name, this.open.get(id)?.request, { bytes, lines: 0 }, this.whyUnfinished(id));
  }
}
