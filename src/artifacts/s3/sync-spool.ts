import { messageOf } from "../../errors.ts";
import type { LocalStore } from "../local/local-store.ts";
import type { Manifest } from "../types.ts";
import type { BucketStore } from "./bucket-store.ts";

/** The result for each spooled artifact, by id. */
export interface SyncReport {
  readonly uploaded: readonly string[];
  /** Those the bucket had already. */
  readonly present: readonly string[];
  readonly failed: readonly { readonly id: string; readonly reason: string }[];
}

/**
 * Moves artifacts from the spool to the bucket under their ids. The manifest, written only if there is none,
 * makes each appear once, also when several do this at a time or one was interrupted.
 */
export async function syncSpool(store: BucketStore, spool: LocalStore): Promise<SyncReport> {
  const uploaded: string[] = [];
  const present: string[] = [];
  const failed: { id: string; reason: string }[] = [];
  for await (const manifest of spool.list()) {
    const { id } = manifest;
    try {
      // Without a hash it is being written, or was cut off by a crash.
      if (manifest.sha256 === "") continue;
      const known = (await store.find(id))?.manifest;
      if (known === undefined) await upload(store, spool, manifest);
      else if (known.sha256 !== manifest.sha256) throw new Error("the bucket has another artifact of this id");
      await spool.remove(id);
      (known === undefined ? uploaded : present).push(id);
    } catch (error) {
      // Somebody else may have been faster, and has taken it from the spool.
      const there = await store.find(id).catch(() => undefined);
      if (there?.manifest?.sha256 === manifest.sha256) {
        await spool.remove(id).catch(() => undefined);
        present.push(id);
        continue;
      }
      failed.push({ id, reason: messageOf(error) });
    }
  }
  return { uploaded, present, failed };
}

async function upload(store: BucketStore, spool: LocalStore, manifest: Manifest): Promise<void> {
  const { id, tool, callId, command, relatedTo, complete, reason = "cut short", redacted, shown } = manifest;
  const extension = manifest.name.slice(manifest.name.lastIndexOf(".") + 1);
  const checked = await spool.verify(id);
  if (!checked.ok && manifest.bytes > 0) throw new Error(checked.problem);
  const writer = store.createUnspooled({ id, tool, callId, command, relatedTo, extension });
  for await (const chunk of spool.read(id)) await writer.write(chunk);
  await writer.finish(complete ? { complete, redacted, shown } : { complete, reason, redacted, shown });
}
