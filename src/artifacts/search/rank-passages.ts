import { decode, floorCodePoint } from "../../bytes/utf8.ts";
import { ERROR_WORDS, type PassageQuestion, tokenize } from "../../query/passage-question.ts";
import { stem } from "../../query/words.ts";
import type { CandidateCounter } from "./passage-candidates.ts";
import type { ReadPassage } from "./search-passages.ts";

/** Lines that report a failure, and weaker ones. */
const FAULT =
  /\b(?:error|errors|err!|fail|failed|failure|failing|fatal|traceback|panic(?:ked)?|cannot|can't|undefined|unresolved)\b|[a-z](?:Error|Exception)\b|[✗✕×✖●]/i;
const REMARK = /\b(?:warn(?:ing)?s?|note|info|hint|deprecated)\b/i;
/** A file name with its ending, and a line number: `a.c:3`, `a.cs(3,5)`, `[a.java:[3,5]`, `"a.py", line 3`. */
const NAME = String.raw`(?:[\w@~+-][\w.@~+-]*|\.{1,2})?(?:[\\/][\w.@~+ -]*[\w@~+-])*\.[A-Za-z][A-Za-z0-9]{0,9}`;
const PLACED = new RegExp(String.raw`${NAME}(?:["']?:\[?\d+|\(\d+|["'], line \d+)`);
/** As compilers begin a message that they call nothing: `a.go:27:9: declared and not used`. */
const MESSAGE = new RegExp(String.raw`^\s*${NAME}:\d+:\d+: (?!warning|note|info|remark)\S`, "i");
const NAMED = new RegExp(String.raw`(?:^|[\s("'\x60[=:/])${NAME}(?=$|[\s"'\x60)\]:,;]|::)`);

/** A file name on its own line, as linters print it above their messages. */
const ALONE = new RegExp(String.raw`^\s*${NAME}:?\s*$`);

/** The distance in lines between a message and the line that names its file. */
const LINES_BELOW_MESSAGE = 6;
const LINES_ABOVE_MESSAGE = 3;

const PLACED_POINTS = 5;
const NAMED_POINTS = 3;

/** How well each line of a text tells which file is at fault; 0 if it names none. */
function blamePoints(lines: readonly string[]): readonly number[] {
  const faults = lines.map(faultOf);
  return lines.map((line, at) => {
    const points = PLACED.test(line) ? PLACED_POINTS : NAMED.test(line) ? NAMED_POINTS : 0;
    if (points === 0) return 0;
    const above = faults.slice(Math.max(0, at - LINES_BELOW_MESSAGE), at).reverse();
    // A name on its own line can be the heading of the following lines.
    const below =
      points === NAMED_POINTS || /["'], line \d/.test(line) ? faults.slice(at + 1, at + 1 + LINES_ABOVE_MESSAGE) : [];
    const fault = [faults[at], ...above, ...below].find((each) => each !== undefined);
    return fault === true ? points + (faults[at] === true || ALONE.test(line) ? 1 : 0) : 0;
  });
}

/** True for a line that reports an error, false for a remark, undefined for neither. */
function faultOf(line: string): boolean | undefined {
  if (MESSAGE.test(line)) return true;
  // "0 errors" and "error_handler.ts" report none.
  const said = line.replaceAll(/\b(?:0|no) (?:errors?|failures?|failed)\b/gi, "").replaceAll(/[\w./\\-]+\.\w+/g, " ");
  return FAULT.test(said) ? true : REMARK.test(said) ? false : undefined;
}

const ERROR_SIGNAL = /\b(?:error|errors|failed|failure|fail|exception|panic(?:ked)?|fatal|traceback|critical)\b/i;
const PHRASE_FACTOR = 1.5;
const ERROR_FACTOR = 1.25;
/** When the question asks for errors. */
const ASKED_ERROR_FACTOR = 2.5;
/** Bonus for a passage that names the failing file if the question asks for it; larger than any word score. */
const BLAMED_SCORE = 1000;
const QUOTE_CHARS = 200;

export interface RankedPassage {
  readonly path: string;
  /** The line that says most; where to point to. */
  readonly line: number;
  readonly startLine: number;
  readonly endLine: number;
  readonly startByte: number;
  readonly endByte: number;
  /** Comparable within one answer only. */
  readonly score: number;
  readonly text: string;
  /** The line that says most, or the part of it that does when it is long. */
  readonly quote: string;
  /** The reasons for the rank: matched words, exact phrases, an error signal. */
  readonly reasons: readonly string[];
  /** How many more passages say the same, numbers aside. */
  readonly similar: number;
}

/** Orders passages by BM25, weighted by exact wordings and error signals; repeats fall together. */
export async function rankPassages(
  question: PassageQuestion,
  counter: CandidateCounter,
  passages: readonly ReadPassage[],
  options: { readonly limit?: number | undefined; readonly maxBytes?: number | undefined },
): Promise<RankedPassage[]> {
  const scores = await scoreByWords(question, counter, passages);
  const scored = passages.map((passage, at) => weigh(question, passage, scores.get(at) ?? 0.1 * passage.weight));
  scored.sort((left, right) => right.score - left.score || (left.path < right.path ? -1 : 1) || left.line - right.line);
  return choose(scored, options.limit ?? 5, options.maxBytes ?? 8192);
}

async function scoreByWords(
  question: PassageQuestion,
  counter: CandidateCounter,
  passages: readonly ReadPassage[],
): Promise<Map<number, number>> {
  const { default: MiniSearch } = await import("minisearch");
  const search = new MiniSearch<{ id: number; text: string }>({
    fields: ["text"],
    tokenize,
    processTerm: (term) => term,
  });
  search.addAll(passages.map(({ text }, id) => ({ id, text })));
  const related = question.errors.length > 0 ? ERROR_WORDS : [];
  const words = [...new Set([...question.terms, ...question.stems, ...related])];
  const results = search.search(words.join(" "), {
    tokenize: (text) => text.split(" "),
    prefix: (term) => term.length >= 3,
    // The index holds only candidates; word frequencies over everything come from the counter.
    boostTerm: (term) => counter.rarity(stem(term)) * (question.terms.includes(term) ? 1 : 0.5),
  });
  return new Map(results.map(({ id, score }) => [id as number, score]));
}

function weigh(question: PassageQuestion, passage: ReadPassage, wordScore: number): RankedPassage {
  const lower = passage.text.toLowerCase();
  const held = question.terms.filter((term) => lower.includes(stem(term)));
  const phrases = question.phrases.filter((phrase) => lower.includes(phrase));
  const error = ERROR_SIGNAL.test(passage.text);
  const answered = question.terms.filter((term) => held.includes(term) || (error && question.errors.includes(term)));
  const coverage = answered.length / question.terms.length;
  const { at: best, blamed } = bestLine(question, passage.text);
  const errorFactor = question.errors.length > 0 ? ASKED_ERROR_FACTOR : ERROR_FACTOR;
  const score =
    wordScore * (0.5 + coverage) * (phrases.length > 0 ? PHRASE_FACTOR : 1) * (error ? errorFactor : 1) +
    blamed * BLAMED_SCORE;
  return {
    path: passage.path,
    line: passage.startLine + best,
    startLine: passage.startLine,
    endLine: passage.endLine,
    startByte: passage.range.startByte,
    endByte: passage.range.endByte,
    score: Math.round(score * 1000) / 1000,
    text: passage.text,
    quote: quoteAround(passage.text.split("\n")[best] ?? "", held.map(stem)),
    reasons: [
      ...(held.length > 0 ? [`words: ${held.join(", ")}`] : []),
      ...phrases.map((phrase) => `exact: "${phrase}"`),
      ...(error ? ["error signal"] : []),
    ],
    similar: 0,
  };
}

/** The line that says most, and how well it names the file at fault if that is asked. */
function bestLine(question: PassageQuestion, text: string): { readonly at: number; readonly blamed: number } {
  const lines = text.split("\n");
  const blame = question.asksFile ? blamePoints(lines) : lines.map(() => 0);
  const points = lines.map((line, at) => {
    const lower = line.toLowerCase();
    const words = question.terms.reduce(
      (sum, term) => sum + (lower.includes(term) ? 2 : lower.includes(stem(term)) ? 1 : 0),
      0,
    );
    const phrases = question.phrases.filter((phrase) => lower.includes(phrase)).length;
    const error = ERROR_SIGNAL.test(line) ? (question.errors.length > 0 ? 2 : 0.5) : 0;
    return words + 2 * phrases + error + 4 * blame[at]!;
  });
  const at = points.indexOf(Math.max(...points));
  return { at, blamed: blame[at] ?? 0 };
}

function choose(ranked: readonly RankedPassage[], limit: number, maxBytes: number): RankedPassage[] {
  const chosen: RankedPassage[] = [];
  const repeats = new Map<string, number>();
  const positions = new Map<string, number>();
  let room = maxBytes;
  for (const passage of ranked) {
    const key = sameness(passage);
    if (positions.has(key)) {
      repeats.set(key, (repeats.get(key) ?? 0) + 1);
      continue;
    }
    if (chosen.length >= limit || room <= 0 || chosen.some((other) => overlaps(other, passage))) continue;
    const fitted = cutToFit(passage, room);
    positions.set(key, chosen.length);
    chosen.push(fitted);
    room -= Buffer.byteLength(fitted.text);
  }
  for (const [key, at] of positions) chosen[at] = { ...(chosen[at] as RankedPassage), similar: repeats.get(key) ?? 0 };
  return chosen;
}

function quoteAround(line: string, stems: readonly string[]): string {
  const lower = line.toLowerCase();
  const places = stems.map((each) => lower.indexOf(each)).filter((at) => at >= 0);
  const before = QUOTE_CHARS / 2;
  const start = line.length <= QUOTE_CHARS ? 0 : Math.max(0, Math.min(...places, line.length) - before);
  const end = start + QUOTE_CHARS;
  const shown = line.slice(start, end).trim().toWellFormed();
  return `${start > 0 ? "…" : ""}${shown}${end < line.length ? "…" : ""}`;
}

/** Passages are equal if their quoted text is equal, ignoring digits. */
function sameness(passage: RankedPassage): string {
  return passage.quote.replaceAll(/[0-9]+/g, "0");
}

function overlaps(left: RankedPassage, right: RankedPassage): boolean {
  return left.path === right.path && left.startByte < right.endByte && right.startByte < left.endByte;
}

function cutToFit(passage: RankedPassage, maxBytes: number): RankedPassage {
  const bytes = Buffer.from(passage.text);
  if (bytes.length <= maxBytes) return passage;
  const text = decode(bytes.subarray(0, floorCodePoint(bytes, maxBytes)));
  const endLine = passage.startLine + text.split("\n").length - 1;
  return { ...passage, text, endLine, line: Math.min(passage.line, endLine) };
}
