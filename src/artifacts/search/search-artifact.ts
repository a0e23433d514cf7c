import { isAbsolute } from "node:path";
import { closing } from "../byte-source.ts";
import { openArtifact } from "../open-artifact.ts";
import type { ArtifactLocation, ArtifactStore } from "../types.ts";
import { type GrepAnswer, type GrepOptions, grepFile, grepSource } from "./grep-file.ts";
import { type Passage, type SearchOptions, searchPassages, searchSource } from "./search-passages.ts";

type Searched = Pick<ArtifactLocation, "id" | "path">;

/** Finds a regular expression in an artifact of any store. */
export async function grepArtifact(
  store: ArtifactStore,
  { id, path }: Searched,
  pattern: string,
  options: GrepOptions,
): Promise<GrepAnswer> {
  if (isAbsolute(path)) return grepFile(path, pattern, options);
  return closing(await openArtifact(store, id), (source) => grepSource(source, pattern, options));
}

/** Ranks the passages of an artifact of any store. */
export async function searchArtifact(
  store: ArtifactStore,
  { id, path }: Searched,
  words: string,
  options: SearchOptions,
): Promise<readonly Passage[]> {
  if (isAbsolute(path)) return searchPassages(path, words, options);
  return closing(await openArtifact(store, id), (source) => searchSource(source, path, words, options));
}
