import {
  type Passage,
  type SearchOptions,
  searchPassages,
  searchSource,
} from "../../artifacts/search/search-passages.ts";
import { isRemote, labelOf, openTarget, type Target } from "./open-artifacts.ts";

/** Ranks a target's passages, with paths as people should see them. */
export async function searchTarget(
  root: string,
  target: Target,
  question: string,
  options: SearchOptions,
): Promise<readonly Passage[]> {
  const passages = isRemote(target)
    ? await searchRemote(target, question, options)
    : await searchPassages(target.path, question, options);
  return passages.map((passage) => ({ ...passage, path: labelOf(root, passage.path) }));
}

async function searchRemote(target: Target, question: string, options: SearchOptions): Promise<readonly Passage[]> {
  const source = await openTarget(target);
  try {
    return await searchSource(source, target.path, question, options);
  } finally {
    await source.close();
  }
}
