import type { Relevance } from "../../../query/relevance.ts";
import { answerValue } from "./answer-value.ts";
import { valuePassedRun } from "./passed-run.ts";
import type { Block } from "./reservoir.ts";
import type { Candidate, Row } from "./row.ts";

/** Rows at either end of the output, in order. */
export interface Ends {
  readonly head: readonly Row[];
  readonly tail: readonly Row[];
  /** The latest rows, as many as asked for and can still be read. */
  readonly latest: (rows?: number) => readonly Row[];
}

const SURE = 85;
/** The last count of what failed is worth as much as a failed test. */
const FINAL_COUNT = 96;
const COUNTS_FAILED = 76;

/** In a run that passed, what was logged on the way matters less than the results, save for what is surely wrong. */
const PASSED_FACTOR = 0.6;
const SURE_PASSED_FACTOR = 0.8;

/** The blocks that count most in a run that passed: what calls itself failed, and the first of each sure kind. */
function sureBlocks(blocks: readonly Block[]): ReadonlySet<Block> {
  const strongest = new Map<string, Block>();
  for (const block of blocks) {
    const known = strongest.get(block.reason);
    if (block.score >= SURE && (known === undefined || block.score > known.score)) strongest.set(block.reason, block);
  }
  return new Set([...strongest.values(), ...blocks.filter(({ reason }) => reason === "failed test")]);
}

/** What a row is worth in the end, once the whole output is known. */
export function rankRows(
  blocks: readonly Block[],
  { head, tail, latest }: Ends,
  relevance: Relevance,
  totalBytes: number,
  events: readonly Candidate[] = [],
): Candidate[] {
  const best = new Map<number, Candidate>();
  const offer = (row: Row, value: number, reason: string, kind?: number): void => {
    const known = best.get(row.byte);
    if (known !== undefined && known.value >= value) return;
    best.set(row.byte, { row, value, reason, kind: kind ?? known?.kind });
  };
  const results = valuePassedRun(latest);
  const sure = results === undefined ? undefined : sureBlocks(blocks);
  const total = blocks.findLast(({ reason, score }) => reason === "summary" && score >= COUNTS_FAILED);
  const cascades = new Cascades(blocks);
  for (const block of blocks) {
    const start = block.rows[0]?.row.byte ?? 0;
    const late = totalBytes === 0 ? 1 : start / totalBytes;
    const prior = block.score >= 85 ? 0.95 + 0.05 * late : 0.8 + 0.2 * late;
    const among = cascades.next(block);
    const cascade = block.ruled && block.occurrence === 1 ? 1 : among;
    const passed = sure === undefined ? 1 : sure.has(block) ? SURE_PASSED_FACTOR : PASSED_FACTOR;
    const score = block.score * prior * cascade * passed;
    for (const { row, factor } of block.rows) {
      const first = factor === 1;
      const value = score * factor * (first ? 1 : cascade);
      const counts = first && block === total && passed === 1;
      offer(row, counts ? FINAL_COUNT : value, block.reason, first ? block.kind : undefined);
    }
  }
  head.forEach((row, index) => {
    offer(row, 34 * 0.93 ** index, "head");
  });
  tail.forEach((row, index) => {
    offer(row, tailValue(tail.length - 1 - index), "tail");
  });
  for (const { row, value, reason } of events) offer(row, value, reason);
  if (results !== undefined) for (const row of latest()) offer(row, results.get(row.byte) ?? 0, "result");
  relate(blocks, best);
  const ranked = [...best.values()];
  return quieten(relevance.empty ? ranked : ask(ranked, relevance));
}

const tailValues: number[] = [];

/** Kept, since a power takes long and every preview asks for the same few hundred. */
function tailValue(rowsFromEnd: number): number {
  while (tailValues.length <= rowsFromEnd) tailValues.push(58 * 0.97 ** tailValues.length);
  return tailValues[rowsFromEnd] as number;
}

const STRONG = 80;
const NOISE = 15;
const SHORT_TAIL = tailValue(25);

/** Where something strong was found, room is better left free than filled with noise. */
function quieten(candidates: Candidate[]): Candidate[] {
  if (!candidates.some(({ value }) => value >= STRONG)) return candidates;
  return candidates.map((candidate) => {
    const { value, reason } = candidate;
    return value < (reason === "tail" ? SHORT_TAIL : NOISE) ? { ...candidate, value: 0 } : candidate;
  });
}

/** Adds to each row what it says to the question. */
function ask(candidates: readonly Candidate[], relevance: Relevance): Candidate[] {
  return candidates.map((candidate) => {
    const tally = relevance.tally(candidate.row.text);
    const asked = answerValue(relevance.score(tally));
    if (asked === 0) return candidate;
    const value = candidate.value * (1 + 0.1 * Math.min(3, asked)) + 14 * asked;
    const plain = candidate.value < 14 * asked;
    return {
      ...candidate,
      value,
      reason: plain ? `question: ${relevance.best(tally)}` : candidate.reason,
    };
  });
}

const RELATED_FROM = 8;
const QUOTED = /[`'"‘“]([A-Za-z_$][\w$.:-]{4,80})['"’”]/g;

/** What names the same thing as a strong error belongs to it, wherever it stands. */
function relate(blocks: readonly Block[], best: Map<number, Candidate>): void {
  const strong = blocks.filter((block) => block.score >= 85).sort((a, b) => b.score - a.score || a.order - b.order);
  const names = new Set<string>();
  for (const block of strong.slice(0, RELATED_FROM)) {
    for (const { row, factor } of block.rows) {
      if (factor === 1) for (const [, name] of row.text.slice(0, 800).matchAll(QUOTED)) names.add(name as string);
    }
  }
  if (names.size === 0) return;
  for (const [byte, candidate] of best) {
    if (candidate.value >= 80 || candidate.value < 10) continue;
    for (const name of names) {
      if (!candidate.row.text.includes(name)) continue;
      best.set(byte, { ...candidate, value: candidate.value + 0.4 * (80 - candidate.value) });
      break;
    }
  }
}

/** Lists of failures fade slowly, since each is news; cascades of errors fast, since the first explains the rest. */
const FADES: Readonly<Record<string, number>> = { "failed test": 0.975, "linter error": 0.95, step: 0.995 };
const FADE = 0.93;
const UNFADED = 6;
/** Blocks that follow each other without a gap. */
const RUN_FADE = 0.98;

/** What is surely wrong is none of those that merely speak of it. */
function kindOf({ reason, score }: Block): string {
  return score >= STRONG ? `sure ${reason}` : reason;
}

/** Damps blocks of one kind by how many of the kind came before, save for the last few. */
class Cascades {
  readonly #totals = new Map<string, number>();
  readonly #runs = new Map<string, { before: number; blocks: number; length: number; end: number }>();

  constructor(blocks: readonly Block[]) {
    for (const block of blocks) {
      const kind = kindOf(block);
      this.#totals.set(kind, (this.#totals.get(kind) ?? 0) + 1);
    }
  }

  next(block: Block): number {
    const { reason, rows } = block;
    const kind = kindOf(block);
    const start = rows[0]?.row.byte ?? 0;
    const last = rows.at(-1)?.row;
    const run = this.#runs.get(kind) ?? { before: 0, blocks: 0, length: 0, end: -1 };
    const length = start <= run.end ? run.length + 1 : 0;
    const blocks = run.blocks + 1;
    const before = length > 0 ? run.before : run.blocks;
    this.#runs.set(kind, { before, blocks, length, end: last === undefined ? 0 : last.byte + last.bytes });
    const after = (this.#totals.get(kind) ?? 0) - 1 - before;
    const rank = Math.min(before, 2 + 2 * after);
    const fade = FADES[reason] ?? FADE;
    return (rank < UNFADED ? 1 - 0.008 * rank : 0.95 * fade ** (rank - UNFADED)) * RUN_FADE ** length;
  }
}
