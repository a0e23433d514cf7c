import { existsSync } from "node:fs";
import type { LocalStore } from "../local/local-store.ts";
import { RoutedStore, sumReports } from "../routed-store.ts";
import type {
  ArtifactStore,
  ArtifactWriter,
  CleanupOptions,
  CleanupReport,
  CreateArtifact,
  Manifest,
} from "../types.ts";
import type { BucketStore } from "./bucket-store.ts";

/** A bucket, and a folder for what it did not take; whoever reads looks in both. */
export class SpooledStore extends RoutedStore {
  readonly #bucket: BucketStore;
  readonly #spool: LocalStore;

  constructor(bucket: BucketStore, spool: LocalStore) {
    super();
    this.#bucket = bucket;
    this.#spool = spool;
  }

  override create(request: CreateArtifact): Promise<ArtifactWriter> {
    return this.#bucket.create(request);
  }

  /** Of what both have, the newer; what the folder has is found also while the bucket cannot be reached. */
  override async find(reference: string): ReturnType<ArtifactStore["find"]> {
    const spooled = await this.#findSpooled(reference);
    try {
      const stored = await this.#bucket.find(reference);
      return stored === undefined || (spooled !== undefined && spooled.id > stored.id) ? spooled : stored;
    } catch (error) {
      if (spooled === undefined) throw error;
      return spooled;
    }
  }

  override async *list(): AsyncIterable<Manifest & { readonly path: string }> {
    const rows = new Map<string, Manifest & { readonly path: string }>();
    if (this.#spools) for await (const manifest of this.#spool.list()) rows.set(manifest.id, manifest);
    if (rows.size === 0) {
      yield* this.#bucket.list();
      return;
    }
    for await (const manifest of this.#bucket.list()) rows.set(manifest.id, manifest);
    yield* [...rows.values()].sort((left, right) => (left.id < right.id ? -1 : 1));
  }

  override async remove(id: string): Promise<boolean> {
    const spooled = (await this.#findSpooled(id)) !== undefined && (await this.#spool.remove(id));
    return (await this.#bucket.remove(id)) || spooled;
  }

  override async cleanup(options?: CleanupOptions): Promise<CleanupReport> {
    const report = await this.#bucket.cleanup(options);
    if (!this.#spools) return report;
    return { ...report, ...sumReports([report, await this.#spool.cleanup(options)]) };
  }

  override async pin(owner: string, ids: readonly string[]): Promise<void> {
    if (this.#spools) await this.#spool.pin(owner, ids);
    await this.#bucket.pin(owner, ids);
  }

  override async unpin(owner: string): Promise<void> {
    if (this.#spools) await this.#spool.unpin(owner);
    await this.#bucket.unpin(owner);
  }

  get #spools(): boolean {
    return existsSync(this.#spool.dir);
  }

  async #findSpooled(reference: string): ReturnType<ArtifactStore["find"]> {
    return this.#spools ? this.#spool.find(reference) : undefined;
  }

  /** While an upload runs its bytes are in the folder too; the artifact is the bucket's all the same. */
  protected async holding(id: string): Promise<ArtifactStore> {
    const spooled = await this.#findSpooled(id);
    return spooled?.manifest === undefined ? this.#bucket : this.#spool;
  }
}
