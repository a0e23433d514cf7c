import { type AskedName, askedNames, asksForErrors, asksForParticulars } from "../../../query/asked-names.ts";
import type { Row } from "../log/row.ts";
import { type AskedRows, RowScanner } from "../log/row-scanner.ts";
import { type Word, WordAutomaton } from "../log/word-automaton.ts";
import { AnswerScore } from "./answer-score.ts";
import { type Answer, chooseAnswers } from "./choose-answers.ts";
import { TermFinder } from "./term-finder.ts";

/** A row that holds names of the question, and what stands around it. */
export interface Candidate {
  readonly row: Row;
  /** How each term stands on the row. */
  readonly found: Uint8Array;
  readonly before: readonly Row[];
  readonly after: Row[];
}

/** What an output says to a question. */
export interface Answers {
  /** Best first. */
  readonly answers: readonly Answer[];
  /** Of the room, what they and their neighbours may take. */
  readonly share: number;
  /** True when nothing that the question names stands in the output. */
  readonly nothing: boolean;
  /** True when any sign of an error may answer. */
  readonly errors: boolean;
}

const SHARE = 0.4;
/** Who asks what went wrong wants the errors above all, and names only where. */
const ERROR_SHARE = 0.12;
/** Rows kept for each term: for a rare one all of them, for others those with the most beside it. */
const KEPT = 24;
const BEFORE = 3;
const AFTER = 4;
/** A longer neighbour is not worth its room. */
const NEIGHBOUR_BYTES = 400;
const HISTORY_BYTES = 16_384;

/**
 * Finds the rows that hold what a question names, whatever the shape of the output. How rare a term is shows only at
 * the end; so rows are kept for each term by itself, and one that holds a rare term survives wherever it stands.
 */
export class AnswerFinder implements AskedRows {
  readonly #score: AnswerScore;
  readonly #names: readonly AskedName[];
  /** Whether any sign of an error may answer. */
  readonly #errors: boolean;
  /** Whether it tells anything that none of the names is there. */
  readonly #particular: boolean;
  readonly #terms: TermFinder;
  /** Its own unless another reads for both. */
  #scanner: RowScanner | undefined;
  #isAlone = false;
  readonly #kept: Candidate[][];
  /** The worst row that a full list kept. */
  readonly #worst: (Candidate | undefined)[];
  /** Rows whose neighbours are still to come. */
  #open: Candidate[] = [];

  /** Undefined when the question names nothing. */
  static create(query: string, addresses: boolean): AnswerFinder | undefined {
    const names = askedNames(query, addresses);
    return names.length === 0
      ? undefined
      : new AnswerFinder(names, asksForErrors(query), asksForParticulars(query, names));
  }

  private constructor(names: readonly AskedName[], errors: boolean, particular: boolean) {
    this.#errors = errors;
    this.#particular = particular;
    this.#names = names;
    const terms = new TermFinder(names);
    this.#terms = terms;
    this.#score = new AnswerScore(terms.names, terms.found.length);
    this.#kept = Array.from(terms.found, () => []);
    this.#worst = Array.from(terms.found, () => undefined);
  }

  /** What the automaton of another scanner must find for that to read for both. */
  get words(): readonly Word[] {
    return this.#terms.words;
  }

  /** Listens to a scanner that was given this finder. */
  listenTo(scanner: RowScanner): void {
    this.#scanner = scanner;
  }

  /** Takes a chunk, unless another scanner reads it. */
  write(chunk: Uint8Array): void {
    const rows = this.#rows;
    if (this.#isAlone) rows.write(chunk);
  }

  check(bytes: Uint8Array, start: number, end: number, inLine: boolean): boolean {
    return this.#terms.checkRow(bytes, start, end, inLine);
  }

  /** Ends the output. Rows longer than `maxChars` are cut; `strict` takes only rows that hold most of what is asked. */
  finish(maxChars: number, strict: boolean): Answers {
    this.#rows.end();
    this.#score.rows = this.#rows.count;
    const candidates = [...new Set(this.#kept.flat())];
    const answers = chooseAnswers(candidates, this.#score, this.#names, { maxChars, strict });
    const nothing = this.#particular && this.#score.nothing(this.#errors ? 0 : 1);
    return { answers, share: this.#errors ? ERROR_SHARE : SHARE, nothing, errors: this.#errors };
  }

  onRow(asked: boolean): boolean {
    if (this.#open.length > 0) this.#follow();
    if (asked) {
      this.#take();
      this.#terms.clear();
    }
    return this.#open.length > 0;
  }

  get #rows(): RowScanner {
    if (this.#scanner !== undefined) return this.#scanner;
    this.#isAlone = true;
    this.#scanner = new RowScanner(new WordAutomaton(this.#terms.words), HISTORY_BYTES, this);
    return this.#scanner;
  }

  #follow(): void {
    const row = this.#rows.row(0);
    for (const candidate of this.#open) if (row.bytes <= NEIGHBOUR_BYTES) candidate.after.push(row);
    this.#open = this.#open.filter(({ after }) => row.bytes <= NEIGHBOUR_BYTES && after.length < AFTER);
  }

  #take(): void {
    const { found, terms } = this.#terms;
    const score = this.#score;
    score.rows = this.#rows.count;
    score.observe(terms);
    let candidate: Candidate | undefined;
    const worth = score.of(found);
    for (const term of terms) {
      const worst = this.#worst[term];
      if (worst !== undefined && worth <= score.of(worst.found)) continue;
      candidate ??= this.#hold();
      this.#keep(term, candidate);
    }
  }

  #hold(): Candidate {
    const reach = Math.min(this.#rows.reach(HISTORY_BYTES / 2, BEFORE + 1) - 1, BEFORE);
    const before: Row[] = [];
    for (let ago = 1; ago <= reach; ago++) {
      const row = this.#rows.row(ago);
      if (row.bytes > NEIGHBOUR_BYTES) break;
      before.unshift(row);
    }
    const candidate = { row: this.#rows.row(0), found: this.#terms.found.slice(), before, after: [] };
    this.#open.push(candidate);
    return candidate;
  }

  #keep(term: number, candidate: Candidate): void {
    const list = this.#kept[term] as Candidate[];
    list.push(candidate);
    if (list.length < 2 * KEPT) return;
    const ranked = list.map((one, place) => ({ one, place, worth: this.#score.of(one.found) }));
    ranked.sort((a, b) => b.worth - a.worth || a.place - b.place);
    ranked.length = KEPT;
    this.#worst[term] = ranked.at(-1)?.one;
    this.#kept[term] = ranked.sort((a, b) => a.place - b.place).map(({ one }) => one);
  }
}
