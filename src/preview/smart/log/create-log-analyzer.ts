import { createQuestion, type Question } from "../../../query/question.ts";
import type { Analyzer, AnalyzerOptions, Position, Room, Selection } from "../analyzer.ts";
import type { Answers } from "../answers/answer-finder.ts";
import { withAnswers } from "../answers/with-answers.ts";
import { BlockBuilder } from "./block-builder.ts";
import { chooseRows } from "./choose.ts";
import { keepHead } from "./keep-head.ts";
import { boundMereWords } from "./mere-words.ts";
import { rankRows } from "./rank.ts";
import { Reservoir } from "./reservoir.ts";
import type { Row } from "./row.ts";
import { RowScanner } from "./row-scanner.ts";
import { TemplateCounts } from "./template.ts";
import { createWordAutomaton } from "./words.ts";

/** An analyzer that tells how much work it did, so that a test can prove the work linear. */
export interface LogAnalyzer extends Analyzer {
  /** Bytes scanned and decoded. */
  readonly work: number;
  /** Goes on with the line that begins at a later position; what lies between is not read. */
  skip(to: Position): void;
}

const MAX_HELD_CHARS = 4_000_000;
const HISTORY_BYTES = 65_536;
const HEAD_ROWS = 60;

/** Reads logs, test runs and traces, and whatever else has lines. */
export function createLogAnalyzer(options: AnalyzerOptions): LogAnalyzer {
  return new RowAnalyzer(options);
}

// A class, since an object with a getter of its own is never young: the collector would copy all that it leads to, for
// every preview.
class RowAnalyzer implements LogAnalyzer {
  readonly #budget: number;
  readonly #historyBytes: number;
  readonly #question: Question;
  readonly #scanner: RowScanner;
  readonly #reservoir: Reservoir;
  readonly #templates = new TemplateCounts();
  readonly #builder: BlockBuilder;
  readonly #head: Row[] = [];
  #headBytes = 0;

  constructor({ room, query }: AnalyzerOptions) {
    this.#budget = Math.min(heldChars(room), MAX_HELD_CHARS);
    this.#historyBytes = Math.max(HISTORY_BYTES, this.#budget / 2);
    this.#question = createQuestion(query);
    const automaton = createWordAutomaton(this.#question.terms.map((term) => term.text));
    this.#scanner = new RowScanner(automaton, this.#historyBytes);
    this.#reservoir = new Reservoir(Math.max(65_536, 4 * this.#budget));
    this.#builder = new BlockBuilder(this.#scanner, this.#reservoir, this.#templates, this.#question);
    this.#scanner.listen({ attentive: true, onRow: (mask) => this.#takeHead(mask) });
  }

  get work(): number {
    return this.#scanner.work;
  }

  write(chunk: Uint8Array): void {
    this.#scanner.write(chunk);
  }

  skip(to: Position): void {
    this.#scanner.end();
    this.#builder.close();
    this.#scanner.skip(to);
  }

  finish(room: Room, total: Position, answers?: Answers): Selection {
    const scanner = this.#scanner;
    scanner.end();
    this.#builder.close();
    const reach = scanner.reach(this.#historyBytes);
    const latest = (rows = reach): Row[] => scanner.latest(Math.min(rows, reach));
    const tail = latest(scanner.reach(this.#budget / 2) || reach);
    const ends = { head: this.#head, tail, latest };
    const found = rankRows(this.#reservoir.blocks(), ends, this.#question, total.byte);
    const bounded = boundMereWords(found, [...this.#head, ...tail], heldChars(room));
    const ranked = keepHead(bounded, this.#head);
    const candidates = answers === undefined ? ranked : withAnswers(ranked, answers, room);
    return chooseRows(candidates, room, total, (template) => this.#templates.get(template));
  }

  /** The first rows are kept whatever they say. */
  #takeHead(mask: number): void {
    const row = this.#scanner.row(0);
    this.#headBytes += row.bytes;
    this.#head.push(row);
    if (mask !== 0 || this.#builder.attentive) this.#builder.onRow(mask);
    if (this.#head.length >= HEAD_ROWS || this.#headBytes >= this.#budget / 4) this.#scanner.listen(this.#builder);
  }
}

/** Characters the room can show at most. */
export function heldChars(room: Room): number {
  return Math.min(room.chars, room.bytes, room.tokens * 6, room.lines * 400);
}
