import { addTallies, type Relevance, type Tally } from "../../../query/relevance.ts";
import { copyText, type HeldLine, holdLine, lineAt } from "../../lines/line-drawing.ts";
import type { LineSpan } from "../../lines/line-reader.ts";
import { type PathKind, pathKind } from "../../lines/paths.ts";
import type { DiffLine } from "./diff-parser.ts";

/** One changed file. */
export interface DiffFile {
  path: string;
  kind: PathKind;
  tally: Tally | undefined;
  readonly startLine: number;
  endLine: number;
  added: number;
  removed: number;
  change: string;
}

/** One hunk's header. */
export interface DiffHunk {
  readonly file: DiffFile;
  readonly header: HeldLine;
  /** Terms of the question in the header. */
  readonly tally: Tally | undefined;
  /** The same in its lines. */
  said: Tally | undefined;
  lines: number;
}

/** A few lines that are shown or left out together: changes that stand near each other, or a part of a long run. */
export interface DiffBlock {
  readonly hunk: DiffHunk;
  lines: HeldLine[];
  /** Changed lines that are not blank. */
  changed: number;
  /** Lines that are gone. */
  removed: number;
  chars: number;
  tally: Tally | undefined;
  /** Worth before any question; set by who takes the block. */
  prior: number;
  score: number;
}

const JOINING_CONTEXT = 2;
const SOFT_LINES = 5;
const HARD_LINES = 14;

/** Gathers the lines of hunks into blocks, in order. */
export class DiffBlocks {
  readonly #relevance: Relevance;
  readonly #paths: Relevance;
  readonly #done: (block: DiffBlock) => void;
  file: DiffFile | undefined;
  #hunk: DiffHunk | undefined;
  #block: DiffBlock | undefined;
  #context: HeldLine[] = [];

  constructor(relevance: Relevance, paths: Relevance, done: (block: DiffBlock) => void) {
    this.#relevance = relevance;
    this.#paths = paths;
    this.#done = done;
  }

  openFile(path: string, span: Readonly<LineSpan>): DiffFile {
    this.close();
    this.#hunk = undefined;
    const { line } = span;
    const file: DiffFile = {
      path: "",
      kind: "source",
      tally: undefined,
      startLine: line,
      endLine: line,
      added: 0,
      removed: 0,
      change: "",
    };
    this.file = file;
    this.nameFile(file, path);
    this.#paths.observe(file.tally);
    return file;
  }

  /** The header's later lines may tell the path better than its first. */
  nameFile(file: DiffFile, path: string): void {
    file.path = copyText(path);
    file.kind = pathKind(path);
    file.tally = this.#paths.tally(path);
  }

  openHunk(file: DiffFile, section: string, text: string, span: Readonly<LineSpan>): void {
    this.close();
    this.#hunk = {
      file,
      header: holdLine(text, span),
      tally: this.#relevance.tally(section),
      said: undefined,
      lines: 0,
    };
  }

  take(kind: DiffLine, text: string, span: Readonly<LineSpan>): void {
    const hunk = this.#hunk;
    if (hunk === undefined) return;
    const tally = span.asked ? this.#relevance.tally(text) : undefined;
    this.#relevance.observe(tally);
    hunk.said = addTallies(hunk.said, tally);
    hunk.lines++;
    if (kind === "context" || kind === "note") this.#takeContext(text, span);
    else this.#takeChange(kind, text, span, hunk, tally);
  }

  /** Ends the block that is being gathered. */
  close(): void {
    const block = this.#block;
    this.#block = undefined;
    this.#context = [];
    if (block === undefined) return;
    this.#done(block);
  }

  #takeContext(text: string, span: Readonly<LineSpan>): void {
    this.#context.push(lineAt(text, span));
    if (this.#block !== undefined && this.#context.length > JOINING_CONTEXT) {
      const rest = this.#context.slice(1);
      this.#append(this.#block, this.#context[0]);
      this.close();
      this.#context = rest;
    }
    if (this.#block === undefined && this.#context.length > 1) this.#context = this.#context.slice(-1);
  }

  #takeChange(kind: DiffLine, text: string, span: Readonly<LineSpan>, hunk: DiffHunk, tally: Tally | undefined): void {
    if (kind === "added") hunk.file.added++;
    else hunk.file.removed++;
    const blank = text.length < 40 && text.slice(1).trim() === "";
    const block = this.#block;
    if (block !== undefined && (block.lines.length >= HARD_LINES || (block.lines.length >= SOFT_LINES && blank))) {
      this.#context.forEach((line) => {
        this.#append(block, line);
      });
      this.close();
    }
    if (this.#block === undefined) {
      this.#block = { hunk, lines: [], changed: 0, removed: 0, chars: 0, tally: undefined, prior: 0, score: 0 };
    }
    for (const line of this.#context) this.#append(this.#block, line);
    this.#context = [];
    this.#append(this.#block, lineAt(text, span));
    this.#block.tally = addTallies(this.#block.tally, tally);
    if (!blank) this.#block.changed++;
    if (kind === "removed") this.#block.removed++;
  }

  #append(block: DiffBlock, line: HeldLine | undefined): void {
    if (line === undefined) return;
    block.lines.push(line);
    block.chars += Math.min(line.chars, 400) + 1;
  }
}
