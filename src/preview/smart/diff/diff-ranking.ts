import { askedConcepts } from "../../../query/asked-concepts.ts";
import type { Relevance } from "../../../query/relevance.ts";
import { type Cost, leanOnNeighbours, weighFeatures } from "../../lines/fill-room.ts";
import type { HeldLine } from "../../lines/line-drawing.ts";
import { PATH_WEIGHT, type PathKind } from "../../lines/paths.ts";
import type { DiffBlock, DiffFile, DiffHunk } from "./diff-blocks.ts";
import { type HunkLine, readFeatures } from "./features.ts";
import { WEIGHTS } from "./weights.ts";

/** Text outside of files: a commit's header and message, or what stands before and after the diff. */
export interface DiffMessage {
  readonly lines: HeldLine[];
  /** All lines of it, also those that are not held. */
  count: number;
}

/** Something that can be shown. */
export type DiffCandidate =
  | {
      readonly kind: "change";
      readonly hunk: DiffHunk;
      /** Whether the hunk's header is shown above its lines. */
      readonly headed: boolean;
      readonly lines: readonly HeldLine[];
      readonly cost: Cost;
      readonly value: number;
    }
  | { readonly kind: "file"; readonly file: DiffFile; readonly cost: Cost; readonly value: number }
  | { readonly kind: "message"; readonly lines: readonly HeldLine[]; readonly cost: Cost; readonly value: number };

const MARKER_CHARS = 20;
const SUBJECT_LINES = 7;
/** What the list of files may take of the room before any change is shown. */
const FILES_SHARE = 0.14;
/** The same where the question tells which files matter. */
const ASKED_FILES_SHARE = 0.02;
/** What a marker takes beside a line that is shown by itself, on average. */
const LINE_MARKER_CHARS = 5;
/** What may stand between two lines for the gap to be closed. */
const BRIDGE_LINES = 3;
const BRIDGE_CHARS = 60;
/** How many added lines beside it an added line leans on, and how much. */
const NEIGHBOURS = { reach: 2, share: 0.6 };
/** How much the better neighbour in its hunk says for a block. */
const NEIGHBOUR_WEIGHT = 0.1;
/** What code that is gone says less than code that is there. */
const REMOVED_LOSS = 0.5;
/** Of lines that are gone, the first of a run tell what it was. */
const MAX_REMOVED_RUN = 2;
/** How much longer blocks lose by their length. */
const LENGTH_POWER = 0.3;

/** A reviewer who asks nothing reads code and what configures it. */
const UNASKED_WEIGHT: Readonly<Record<PathKind, number>> = { ...PATH_WEIGHT, config: 0.9, test: 0.35 };

/** Weighs blocks, files and messages against each other. */
export class DiffRanking {
  readonly #relevance: Relevance;
  readonly #paths: Relevance;
  readonly #query: string;
  /** The lines of all hunks, once they are ranked one by one. */
  readonly #byNumber = new Map<number, HeldLine>();

  constructor(relevance: Relevance, paths: Relevance, query: string) {
    this.#relevance = relevance;
    this.#paths = paths;
    this.#query = query;
  }

  /** What a block is worth by what is known so far. */
  score(block: DiffBlock): number {
    const length = block.chars / 400;
    const said = this.#relevance.score(block.tally, length);
    const near = 0.5 * this.#relevance.score(block.hunk.tally) + 0.7 * this.#paths.score(block.hunk.file.tally);
    const weight = (this.#relevance.empty ? UNASKED_WEIGHT : PATH_WEIGHT)[block.hunk.file.kind];
    const there = 1 - (REMOVED_LOSS * block.removed) / block.lines.length;
    // What answers the question itself counts almost as much in a manual as in source.
    return (block.prior + near) * weight + said * there * Math.sqrt(weight);
  }

  /** All candidates, best first. */
  rank(
    blocks: readonly DiffBlock[],
    files: readonly DiffFile[],
    messages: readonly DiffMessage[],
    roomChars: number,
  ): DiffCandidate[] {
    const asked = !this.#relevance.empty || askedConcepts(this.#query).length > 0;
    const first: DiffCandidate[] = [];
    const rest: DiffCandidate[] = [];
    this.#rankMessages(messages, roomChars, first, rest);
    this.#rankFiles(files, roomChars * (asked ? ASKED_FILES_SHARE : FILES_SHARE), first, rest);
    rest.sort((a, b) => b.value - a.value);
    if (asked) return [...first, ...this.#rankLines(blocks), ...rest];
    rest.push(...this.#rankBlocks(blocks));
    return [...first, ...rest.sort((a, b) => b.value - a.value)];
  }

  /** With a question every line by itself: many short fragments answer sooner than a few long ones. */
  #rankLines(blocks: readonly DiffBlock[]): DiffCandidate[] {
    const lines: HunkLine[] = blocks.flatMap(({ hunk, lines }) =>
      withoutLongRuns(lines).map((held) => ({ hunk, held })),
    );
    this.#byNumber.clear();
    for (const { held } of lines) this.#byNumber.set(held.line, held);
    const features = readFeatures(lines, this.#query, this.#relevance, this.#paths);
    const alone = weighFeatures(features, WEIGHTS, lines.length);
    const runs = lines.map(({ hunk, held }, row) => (held.text.startsWith("+") ? hunk : row));
    const scores = leanOnNeighbours(alone, runs, NEIGHBOURS);
    const order = lines.map((_, index) => index).filter((index) => isTelling((lines[index] as HunkLine).held));
    order.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
    const hunks = new Set<DiffHunk>();
    return order.map((index) => {
      const { hunk, held } = lines[index] as HunkLine;
      // A header that says nothing of the question takes the room of another line, and the gap around it says where it is.
      const headed = hunk.tally !== undefined;
      const header = !headed || hunks.has(hunk) ? 0 : Math.min(hunk.header.chars, 100) + MARKER_CHARS;
      hunks.add(hunk);
      const chars = Math.min(held.chars, 400) + LINE_MARKER_CHARS + header;
      return {
        kind: "change",
        hunk,
        headed,
        lines: [held],
        value: scores[index] ?? 0,
        cost: { chars, lines: header > 0 ? 3 : 1 },
      };
    });
  }

  /** Adds the lines between chosen ones that take hardly more room than the marker in their place. */
  bridge(chosen: readonly DiffCandidate[]): readonly DiffCandidate[] {
    if (this.#byNumber.size === 0) return chosen;
    const changes = chosen.filter((candidate) => candidate.kind === "change");
    changes.sort((a, b) => (a.lines[0]?.line ?? 0) - (b.lines[0]?.line ?? 0));
    const bridges: DiffCandidate[] = [];
    changes.forEach((candidate, index) => {
      const before = changes[index - 1];
      if (before === undefined || before.hunk !== candidate.hunk) return;
      const lines = this.#between(before.lines.at(-1)?.line ?? 0, candidate.lines[0]?.line ?? 0);
      if (lines !== undefined) bridges.push({ ...candidate, lines });
    });
    return [...chosen, ...bridges];
  }

  /** The lines after one and before another, if all are held, few and short. */
  #between(first: number, last: number): HeldLine[] | undefined {
    if (last - first < 2 || last - first > BRIDGE_LINES + 1) return undefined;
    const lines: HeldLine[] = [];
    let chars = 0;
    for (let number = first + 1; number < last; number++) {
      const held = this.#byNumber.get(number);
      chars += 1 + (held?.chars ?? 0);
      if (held === undefined || chars > BRIDGE_CHARS) return undefined;
      lines.push(held);
    }
    return lines;
  }

  #rankBlocks(blocks: readonly DiffBlock[]): DiffCandidate[] {
    for (const block of blocks) block.score = this.score(block);
    const smoothed = blocks.map((block, index) => {
      const neighbours = [blocks[index - 1], blocks[index + 1]].filter((other) => other?.hunk === block.hunk);
      return block.score + NEIGHBOUR_WEIGHT * Math.max(0, ...neighbours.map((other) => other?.score ?? 0));
    });
    const order = blocks.map((_, index) => index).sort((a, b) => (smoothed[b] ?? 0) - (smoothed[a] ?? 0) || a - b);
    // Without a question every file is as good as the next.
    const spread = this.#relevance.empty ? 0.12 : 0.08;
    const shownOfFile = new Map<DiffFile, number>();
    const hunks = new Set<unknown>();
    return order.map((index) => {
      const block = blocks[index] as DiffBlock;
      const before = shownOfFile.get(block.hunk.file) ?? 0;
      shownOfFile.set(block.hunk.file, before + 1);
      const header = hunks.has(block.hunk) ? 0 : Math.min(block.hunk.header.chars, 100);
      hunks.add(block.hunk);
      const lines = trimLines(block.lines);
      const chars = lines.reduce((sum, line) => sum + Math.min(line.chars, 400) + 1, header + MARKER_CHARS);
      const value = (smoothed[index] ?? 0) / (1 + spread * before) / (chars / 300) ** LENGTH_POWER;
      return { kind: "change", hunk: block.hunk, headed: true, lines, value, cost: { chars, lines: lines.length + 2 } };
    });
  }

  #rankMessages(
    messages: readonly DiffMessage[],
    roomChars: number,
    first: DiffCandidate[],
    rest: DiffCandidate[],
  ): void {
    let left = roomChars * 0.2;
    for (const { lines } of messages) {
      const head = messageCandidate(lines.slice(0, SUBJECT_LINES), 1);
      if (head.cost.chars < left) first.push(head);
      else rest.push(head);
      left -= head.cost.chars;
      if (lines.length <= SUBJECT_LINES) continue;
      const body = messageCandidate(lines.slice(SUBJECT_LINES), 0);
      const tallies = lines.slice(SUBJECT_LINES).map((line) => this.#relevance.score(this.#relevance.tally(line.text)));
      const asked = tallies.reduce((sum, score) => sum + score, 0);
      rest.push({ ...body, value: (0.3 + asked / 3) / Math.sqrt(body.cost.chars / 300) });
    }
  }

  #rankFiles(files: readonly DiffFile[], shareChars: number, first: DiffCandidate[], rest: DiffCandidate[]): void {
    const candidates = files.map((file): DiffCandidate => {
      const value = (0.3 + this.#paths.score(file.tally)) * PATH_WEIGHT[file.kind];
      return { kind: "file", file, value, cost: { chars: file.path.length + 32, lines: 1 } };
    });
    let left = shareChars;
    for (const candidate of candidates.sort((a, b) => b.value - a.value)) {
      left -= candidate.cost.chars;
      (left > 0 ? first : rest).push(candidate);
    }
  }
}

/** Leaves more room for further changes: without unchanged lines at both ends and the rest of what is gone. */
function trimLines(lines: readonly HeldLine[]): readonly HeldLine[] {
  const first = lines.findIndex(isTelling);
  const last = lines.findLastIndex(isTelling);
  return withoutLongRuns(first < 0 ? lines : lines.slice(first, last + 1));
}

function withoutLongRuns(lines: readonly HeldLine[]): readonly HeldLine[] {
  let run = 0;
  return lines.filter((line) => {
    run = line.text.startsWith("-") ? run + 1 : 0;
    return run <= MAX_REMOVED_RUN;
  });
}

/** True for a changed line, other than a blank one that is gone. */
function isTelling({ text }: HeldLine): boolean {
  return text.startsWith("+") || (text.startsWith("-") && (text.length > 80 || text.slice(1).trim() !== ""));
}

function messageCandidate(lines: readonly HeldLine[], value: number): DiffCandidate {
  const chars = lines.reduce((sum, line) => sum + Math.min(line.chars, 400) + 1, MARKER_CHARS);
  return { kind: "message", lines, value, cost: { chars, lines: lines.length + 1 } };
}
