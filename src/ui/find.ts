import { grepArtifact, searchArtifact } from "../artifacts/search/search-artifact.ts";
import type { GrepPage, SearchPage } from "./api.ts";
import type { Found, Library } from "./library.ts";

const MOST_HITS = 2000;
const MOST_ARTIFACTS = 200;
const LARGEST_SEARCHED = 64 * 1024 * 1024;

export interface GrepQuestion {
  readonly pattern: string;
  readonly ignoreCase: boolean;
  readonly fixedStrings: boolean;
}

/** Lines of one artifact that match. */
export async function grepOutput(found: Found, question: GrepQuestion, signal: AbortSignal): Promise<GrepPage> {
  const { pattern, ...how } = question;
  const options = { ...how, limit: MOST_HITS, maxBytes: 256 * 1024, windowBytes: 240, signal };
  const answer = await grepArtifact(found.store, found, pattern, options);
  return {
    total: answer.totalMatches,
    complete: answer.complete,
    matches: answer.matches.map(({ line, text }) => ({ line, text })),
  };
}

/** Passages of the newest artifacts that answer to some words, best of each first. */
export async function searchOutputs(library: Library, words: string, signal: AbortSignal): Promise<SearchPage> {
  const all = [];
  for await (const row of library.artifacts()) all.push(row);
  all.sort((left, right) => (left.id < right.id ? 1 : -1));
  const searched = all.slice(0, MOST_ARTIFACTS).filter(({ bytes }) => bytes <= LARGEST_SEARCHED);
  const hits: SearchPage["hits"][number][] = [];
  for (const row of searched) {
    if (signal.aborted) break;
    const options = { limit: 2, maxBytes: 1200, signal };
    const passages = await searchArtifact(row.store, row, words, options).catch(() => []);
    for (const { startLine, text } of passages)
      hits.push({ id: row.id, tool: row.tool, at: row.createdAt, startLine, text: text.slice(0, 600) });
    if (hits.length >= 60) break;
  }
  return { hits, skipped: all.length - searched.length };
}
