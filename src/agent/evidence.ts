import { createReadStream } from "node:fs";
import type { ArtifactStore } from "../artifacts/types.ts";
import { pluralOf } from "../preview/omission.ts";
import { ToolFailure } from "../protocol/builder.ts";
import { Sandbox } from "../tools/sandbox/sandbox.ts";

/** A pointer to a line that an answer rests on, and whether that line exists. */
export type Evidence =
  | { readonly path: string; readonly line: number; readonly exists: true }
  | { readonly path: string; readonly line: number; readonly exists: false; readonly problem: string };

export interface CheckedAnswer {
  /** The answer, with a remark behind every pointer that leads nowhere. */
  readonly text: string;
  readonly evidence: readonly Evidence[];
}

export interface EvidencePlaces {
  readonly root: string;
  readonly store: ArtifactStore;
}

const LINE = /[:：](\d{1,9})(?:-(\d{1,9}))?(?::\d{1,9})?(?![\w:])/g;
/** More pointers than anyone follows. */
const MAX_POINTERS = 200;

/** Checks the pointers of an answer. A pointer that names no file counts only in a list, where it is meant as evidence. */
export async function checkEvidence(answer: string, places: EvidencePlaces): Promise<CheckedAnswer> {
  const sandbox = await Sandbox.create(places.root);
  const seen = new Map<string, Promise<FileLines>>();
  const look = (path: string, enough: number): Promise<FileLines> => {
    const key = `${enough}:${path}`;
    const known = seen.get(key) ?? lookAt(path, enough, sandbox, places.store);
    seen.set(key, known);
    return known;
  };
  const evidence: Evidence[] = [];
  let text = "";
  let done = 0;
  let previous = 0;
  for (const match of answer.matchAll(LINE)) {
    if (evidence.length >= MAX_POINTERS) break;
    const [suffix, first, last] = match;
    const end = match.index + suffix.length;
    const candidates = pathCandidates(answer, previous, match.index);
    previous = end;
    if (candidates.length === 0) continue;
    const line = Number(first);
    const lastLine = Number(last ?? first);
    const found = await choose(candidates, (path) => look(path, lastLine), answer);
    if (found === undefined) continue;
    const { path } = found;
    const problem = typeof found.lines === "string" ? found.lines : lineProblem(line, lastLine, found.lines);
    evidence.push(problem === undefined ? { path, line, exists: true } : { path, line, exists: false, problem });
    if (problem === undefined) continue;
    text += `${answer.slice(done, end)} [not found: ${problem}]`;
    done = end;
  }
  return { text: text + answer.slice(done), evidence };
}

/** How many lines a file has, or why that cannot be known. */
type FileLines = number | string;

/** The longest candidate that is a file; otherwise a text meant as a path, which is certain only in list items. */
async function choose(
  candidates: readonly PathCandidate[],
  look: (path: string) => Promise<FileLines>,
  answer: string,
): Promise<{ readonly path: string; readonly lines: FileLines } | undefined> {
  for (const { path } of candidates) {
    const lines = await look(path);
    if (typeof lines === "number") return { path, lines };
  }
  const meant = candidates.find(({ path, begin }) => isListed(answer, begin) && isOnePath(path));
  return meant && { path: meant.path, lines: await look(meant.path) };
}

/** The last name may contain blanks only below a folder: otherwise the preceding words are not part of the path. */
function isOnePath(path: string): boolean {
  const blank = path.search(/\s\S*$/);
  return blank === -1 || /[/\\]/.test(path.slice(0, blank));
}

/** True if the pointer is at the beginning of a list item. */
function isListed(answer: string, index: number): boolean {
  const line = answer.slice(answer.lastIndexOf("\n", index - 1) + 1, index);
  return /^\s*(?:[-*•]|\d+[.)])\s*[`"'“「『《[(*]*$/.test(line);
}

function lineProblem(first: number, last: number, lines: number): string | undefined {
  if (first < 1 || last < first) return "there is no such line range";
  return last > lines ? `the file has ${lines} ${pluralOf(lines, "line")}` : undefined;
}

async function lookAt(path: string, enough: number, sandbox: Sandbox, store: ArtifactStore): Promise<FileLines> {
  const manifest = (await store.find(path).catch(() => undefined))?.manifest;
  return manifest?.lines ?? countLines(path, enough, sandbox);
}

/** Lines of a file, counted only as far as `enough`; or why it cannot be opened. */
async function countLines(path: string, enough: number, sandbox: Sandbox): Promise<FileLines> {
  try {
    const { handle } = await sandbox.openFile(path);
    let newlines = 0;
    let lastByte = 10;
    for await (const chunk of createReadStream("", { fd: handle, highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) newlines++;
      lastByte = chunk.at(-1) ?? lastByte;
      if (newlines >= enough) break;
    }
    return newlines + (lastByte === 10 ? 0 : 1);
  } catch (error) {
    return error instanceof ToolFailure && error.code === "ACCESS_DENIED" ? "outside the workspace" : "no such file";
  }
}

/** A text that may be the path of a pointer, and where it begins. */
interface PathCandidate {
  readonly path: string;
  readonly begin: number;
}

const MAX_PATH_CHARS = 1_024;
/** Beginnings that are tried for one pointer. */
const MAX_CANDIDATES = 32;
const CLOSING: Readonly<Record<string, string>> = {
  "`": "`",
  '"': '"',
  "'": "'",
  "”": "“",
  "’": "‘",
  "」": "「",
  "』": "『",
  "》": "《",
};
const UNSPACED = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]/;
const BREAK = /[\s`"'“”‘’「」『』《》()[\]{}<>|,;，。；、：*=]/;

/**
 * Candidates for the path that ends here, longest first. Paths contain blanks and any letters, and prose in some
 * languages has no blanks before them, so only a look at the files can tell which it is.
 */
function pathCandidates(answer: string, from: number, end: number): readonly PathCandidate[] {
  const line = Math.max(from, answer.lastIndexOf("\n", end - 1) + 1, end - MAX_PATH_CHARS);
  const opening = CLOSING[answer.charAt(end - 1)];
  if (opening !== undefined) {
    const begin = answer.lastIndexOf(opening, end - 2) + 1;
    return begin > line ? candidate(answer, begin, end - 1) : [];
  }
  const found: PathCandidate[] = [];
  for (let begin = end - 1; begin >= line && found.length < MAX_CANDIDATES; begin--) {
    if (begin === line || isBoundary(answer.charAt(begin - 1), answer.charAt(begin))) {
      found.unshift(...candidate(answer, begin, end));
    }
  }
  return found;
}

/** A path has a letter and a slash or a dot, so that times, ports and URLs are not meant; an artifact's id is one too. */
function candidate(answer: string, begin: number, end: number): PathCandidate[] {
  const path = answer.slice(begin, end);
  if (path !== path.trim() || path.includes("://") || path.startsWith("//")) return [];
  const isPath = (/[/\\.]/.test(path) && /[\p{L}_]/u.test(path)) || /^0[0-9a-z]{21}$/.test(path);
  return isPath ? [{ path, begin }] : [];
}

/** True between words, where another script begins, and between any two signs of a script that has no blanks. */
function isBoundary(before: string, after: string): boolean {
  if (BREAK.test(after)) return false;
  return BREAK.test(before) || UNSPACED.test(before) || before > "\x7f" !== after > "\x7f";
}
