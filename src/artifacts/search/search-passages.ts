import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { SpillwayError } from "../../errors.ts";
import { checkOptions, kinds } from "../../limits/options.ts";
import { findRipgrep } from "../../process/ripgrep.ts";
import { type PassageQuestion, parseQuestion } from "../../query/passage-question.ts";
import { type ByteSource, closing, isSource, openFileSource } from "../byte-source.ts";
import { readTextRange } from "../read-lines.ts";
import { ignoreMissing } from "../store-failure.ts";
import type { ByteRange } from "../types.ts";
import { createBoundedMatcher, escapeRegExp, type MatchText } from "./bounded-regex.ts";
import { scanHits } from "./grep-file.ts";
import { type Candidate, CandidateCounter } from "./passage-candidates.ts";
import { type RankedPassage, rankPassages } from "./rank-passages.ts";
import { ripgrepHits } from "./ripgrep.ts";

const BEFORE_BYTES = 1200;
const AFTER_BYTES = 1200;
const LINES_BEFORE = 2;
/** Compilers print the failure last; the line with the file name is above the code excerpt. */
const LINES_BEFORE_FAULT = 12;
const LINES_AFTER = 10;

/** A candidate with the text around it: whole lines where they are short, a stretch of one line where it is long. */
export interface ReadPassage extends Candidate {
  readonly range: ByteRange;
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
}

/** Reads the text around a candidate's first hit; with `asksFile`, more of the text above it. */
export async function readPassage(source: ByteSource, candidate: Candidate, asksFile: boolean): Promise<ReadPassage> {
  const mostBefore = asksFile ? LINES_BEFORE_FAULT : LINES_BEFORE;
  const from = Math.max(0, candidate.startByte - BEFORE_BYTES);
  const bytes = await source.read(from, candidate.startByte + AFTER_BYTES);
  const hit = candidate.startByte - from;
  let start = hit;
  let linesBefore = 0;
  while (start > 0) {
    const newline = start < 2 ? -1 : bytes.lastIndexOf(10, start - 2);
    const atLineStart = bytes[start - 1] === 10;
    if (atLineStart && (linesBefore === mostBefore || (newline === -1 && from > 0))) break;
    if (atLineStart) linesBefore += 1;
    start = newline + 1;
    if (newline === -1) break;
  }
  let end = hit;
  for (let lines = linesBefore; lines < linesBefore + LINES_AFTER && end < bytes.length; lines++) {
    const newline = bytes.indexOf(10, end);
    if (newline === -1 && from + bytes.length < source.size && end > hit) break;
    end = newline === -1 ? bytes.length : newline + 1;
  }
  const answer = await readTextRange(source, { startByte: from + start, endByte: from + end });
  const text = answer.text.replace(/\r?\n$/, "");
  const startLine = candidate.line - linesBefore;
  return {
    ...candidate,
    range: { startByte: answer.startByte, endByte: answer.endByte },
    startLine,
    endLine: startLine + text.split("\n").length - 1,
    text,
  };
}

/** From this size on ripgrep looks for the words, where there is one. */
const RIPGREP_FROM_BYTES = 32 * 1024 * 1024;
const MAX_CANDIDATES = 1000;

export interface SearchOptions {
  /** Most passages. @default 5 */
  readonly limit?: number | undefined;
  /** Most bytes of text, all passages together. @default 8192 */
  readonly maxBytes?: number | undefined;
  /** Which engine searches. @default "ripgrep" for folders and above 32 MB where it is available */
  readonly engine?: "ripgrep" | "javascript" | undefined;
  /** Ends the search. */
  readonly signal?: AbortSignal | undefined;
}

/** A stretch of text that answers to a question; `path` as the target was given, or below it for a folder. */
const SEARCH_CHECKS = {
  limit: kinds.above0,
  maxBytes: kinds.above0,
  engine: kinds.oneOf("ripgrep", "javascript"),
  signal: kinds.object,
} satisfies Record<keyof SearchOptions, unknown>;

export type Passage = RankedPassage;

/** Ranks the passages of a file or folder against a question: by rarity of the words, exact wordings and errors. */
export async function searchPassages(
  target: string,
  questionText: string,
  options: SearchOptions = {},
): Promise<readonly Passage[]> {
  kinds.text(questionText, "The question for searchPassages()");
  checkOptions(options, SEARCH_CHECKS, "searchPassages()");
  kinds.text(target, "The path for searchPassages()");
  const question = parseQuestion(questionText);
  const stats = await ignoreMissing(stat(target));
  if (stats === undefined) throw new SpillwayError("ARTIFACT_NOT_FOUND", `there is no file or folder ${target}`);
  const counter = new CandidateCounter(question);
  if (stats.isDirectory()) {
    await countFolder(target, counter, options);
    return rank(question, counter, options, (path) => join(target, path));
  }
  await countFile(target, stats.size, counter, options);
  return rank(question, counter, options, () => target);
}

/** The same for bytes that are in no file. */
export async function searchSource(
  source: ByteSource,
  path: string,
  questionText: string,
  options: SearchOptions = {},
): Promise<readonly Passage[]> {
  isSource(source, "The source for searchSource()");
  kinds.text(questionText, "The question");
  checkOptions(options, SEARCH_CHECKS, "searchSource()");
  const question = parseQuestion(questionText);
  const counter = new CandidateCounter(question);
  await countSource(source, counter);
  const passages = await Promise.all(
    counter.best(MAX_CANDIDATES).map((candidate) => readPassage(source, { ...candidate, path }, question.asksFile)),
  );
  return rankPassages(question, counter, passages, options);
}

async function countFile(path: string, size: number, counter: CandidateCounter, options: SearchOptions): Promise<void> {
  const wanted = options.engine ?? (size >= RIPGREP_FROM_BYTES ? "ripgrep" : "javascript");
  const program = wanted === "ripgrep" ? await findRipgrep() : null;
  if (program !== null) {
    const full = resolve(path);
    await countRipgrep(program, `./${basename(full)}`, dirname(full), false, counter, options);
    return;
  }
  await closing(await openFileSource(path), (source) => countSource(source, counter));
}

async function countSource(source: ByteSource, counter: CandidateCounter, path?: string): Promise<void> {
  for await (const hits of scanHits(source, createWordMatcher(counter)))
    for (const hit of hits) counter.add(path === undefined ? hit : { ...hit, path });
}

async function countFolder(folder: string, counter: CandidateCounter, options: SearchOptions): Promise<void> {
  const program = options.engine === "javascript" ? null : await findRipgrep();
  // An artifact folder has its own .gitignore, which hides it from git.
  const isStore = (await ignoreMissing(stat(join(folder, ".meta")))) !== undefined;
  if (program !== null) {
    await countRipgrep(program, ".", folder, isStore, counter, options);
    return;
  }
  for (const file of await listSearchableFiles(folder)) {
    const source = await openFileSource(join(folder, file)).catch(() => undefined);
    if (source !== undefined) await closing(source, () => countSource(source, counter, file));
  }
}

async function countRipgrep(
  program: string,
  target: string,
  cwd: string,
  noIgnore: boolean,
  counter: CandidateCounter,
  { signal }: SearchOptions,
): Promise<void> {
  const request = { patterns: counter.words, fixedStrings: true, ignoreCase: true, target, cwd, noIgnore, signal };
  for await (const hits of ripgrepHits(program, request)) for (const hit of hits) counter.add(hit);
}

function createWordMatcher(counter: CandidateCounter): MatchText {
  const pattern = counter.words.map(escapeRegExp).join("|");
  return createBoundedMatcher(pattern, { ignoreCase: true, fixedStrings: false });
}

async function rank(
  question: PassageQuestion,
  counter: CandidateCounter,
  options: SearchOptions,
  fullPath: (path: string) => string,
): Promise<readonly Passage[]> {
  const passages: ReadPassage[] = [];
  const sources = new Map<string, ByteSource | undefined>();
  try {
    for (const candidate of counter.best(MAX_CANDIDATES)) {
      const path = fullPath(candidate.path);
      if (!sources.has(path)) sources.set(path, await openFileSource(path).catch(() => undefined));
      const source = sources.get(path);
      if (source !== undefined) passages.push(await readPassage(source, { ...candidate, path }, question.asksFile));
    }
  } finally {
    for (const source of sources.values()) await source?.close();
  }
  return rankPassages(question, counter, passages, options);
}

const SKIPPED_FOLDERS = new Set(["node_modules", "dist", "build", "target", "vendor"]);

/** The text files below a folder, without ripgrep: nothing hidden, and no folder of dependencies or build products. */
async function listSearchableFiles(folder: string): Promise<string[]> {
  const files: string[] = [];
  const pending = [""];
  for (let below = pending.pop(); below !== undefined; below = pending.pop()) {
    const entries = await readdir(join(folder, below), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (entry.name.startsWith(".")) continue;
      const path = join(below, entry.name);
      if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name)) pending.push(path);
      else if (entry.isFile() && (await looksLikeText(join(folder, path)))) files.push(path);
    }
  }
  return files.sort();
}

async function looksLikeText(path: string): Promise<boolean> {
  const source = await openFileSource(path).catch(() => undefined);
  return source !== undefined && closing(source, async () => !(await source.read(0, 4096)).includes(0));
}
