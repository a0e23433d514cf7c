import { unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Digest } from "../digest.ts";
import { encodeLineIndex, INDEX_STRIDE } from "../line-index.ts";
import { createManifest, type ManifestFacts } from "../manifest.ts";
import type { FinishedArtifact } from "../types.ts";
import { type StoreFolder, writeNew } from "./store-folder.ts";
import type { PlacedMark } from "./writing-mark.ts";

/** Writes index and manifest of an artifact whose bytes are in place. These stay, also when the manifest cannot be written. */
export async function recordArtifact(
  folder: StoreFolder,
  mark: PlacedMark,
  record: ManifestFacts & { readonly digest: Digest },
): Promise<FinishedArtifact> {
  const {
    id,
    digest: { index },
  } = record;
  const manifest = createManifest(record);
  try {
    await mark.become(`${JSON.stringify(manifest, null, 2)}\n`);
  } catch (error) {
    return { ...manifest, unrecorded: (error as Error).message };
  }
  if (index.bytes > INDEX_STRIDE) {
    // On a full disk half of it would stay.
    const drop = (meta: string) => unlink(join(meta, `${id}.idx`));
    const write = (meta: string) => writeNew(join(meta, `${id}.idx`), encodeLineIndex(index));
    await folder.inMeta((meta) => write(meta).catch(() => drop(meta))).catch(() => {});
  }
  return manifest;
}
