import { join } from "node:path";
import { artifactIdTime } from "../artifact-id.ts";
import type { Digest } from "../digest.ts";
import { encodeLineIndex, INDEX_STRIDE } from "../line-index.ts";
import { createManifest } from "../manifest.ts";
import type { Completion, CreateArtifact, FinishedArtifact } from "../types.ts";
import { type StoreFolder, writeNew } from "./store-folder.ts";
import type { PlacedMark } from "./writing-mark.ts";

export interface ArtifactRecord {
  readonly id: string;
  readonly name: string;
  readonly request: CreateArtifact;
  readonly digest: Digest;
  readonly completion: Completion;
}

/** Writes index and manifest of an artifact whose bytes are in place. These stay, also when the manifest cannot be written. */
export async function recordArtifact(
  folder: StoreFolder,
  mark: PlacedMark,
  { id, name, request, digest, completion }: ArtifactRecord,
): Promise<FinishedArtifact> {
  const { sha256, index } = digest;
  const createdAt = new Date(artifactIdTime(id)).toISOString();
  const { bytes, lines } = index;
  const manifest = createManifest({ id, name, createdAt, request, bytes, lines, sha256, completion });
  try {
    await mark.become(`${JSON.stringify(manifest, null, 2)}\n`);
  } catch (error) {
    return { ...manifest, unrecorded: (error as Error).message };
  }
  if (bytes > INDEX_STRIDE) {
    await folder.inMeta((meta) => writeNew(join(meta, `${id}.idx`), encodeLineIndex(index))).catch(() => {});
  }
  return manifest;
}
