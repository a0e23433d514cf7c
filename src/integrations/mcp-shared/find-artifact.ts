import type { ArtifactStore, FoundArtifact } from "../../artifacts/types.ts";
import { SpillwayError } from "../../errors.ts";

/** Finds an artifact by what a model may have of it: id, file name, path, call id or URI. */
export async function findArtifact(reference: string, store: ArtifactStore): Promise<FoundArtifact> {
  const found = await store.find(reference.replace(/^spillway:\/\/artifact\//, "").replace(/\?.*$/, ""));
  if (!found)
    throw new SpillwayError(
      "ARTIFACT_NOT_FOUND",
      `There is no artifact ${JSON.stringify(reference.slice(0, 200))}. It may have expired; call the tool again.`,
    );
  return found;
}
