import { searchArtifact } from "../../artifacts/search/search-artifact.ts";
import { type Passage, type SearchOptions, searchPassages } from "../../artifacts/search/search-passages.ts";
import { relativeTo } from "../../gate/render/hint-text.ts";
import type { Target } from "./open-artifacts.ts";

/** Ranks a target's passages, with paths as people should see them. */
export async function searchTarget(
  root: string,
  { path, artifact }: Target,
  question: string,
  options: SearchOptions,
): Promise<readonly Passage[]> {
  const passages = artifact
    ? await searchArtifact(artifact.store, { id: artifact.id, path }, question, options)
    : await searchPassages(path, question, options);
  return passages.map((passage) => ({ ...passage, path: relativeTo(root, passage.path) }));
}
