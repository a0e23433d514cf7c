import { Relevance } from "../../../query/relevance.ts";
import { lineCost, shrinkRoom } from "../../fit.ts";
import type { Analyzer, AnalyzerOptions, Position, Room, Selection } from "../analyzer.ts";
import type { AnswerFinder, Answers } from "../answers/answer-finder.ts";
import { BlockBuilder } from "./block-builder.ts";
import { chooseRows } from "./choose.ts";
import { Findings } from "./findings.ts";
import { keepHead } from "./keep-head.ts";
import { boundMereWords, type Report, reportsOf } from "./mere-words.ts";
import { LineForms } from "./outliers/line-forms.ts";
import { rankRows } from "./rank.ts";
import { RareEvents } from "./rare-events.ts";
import { foldedRuns, Repeats, withoutRepeats } from "./repeats.ts";
import { Reservoir } from "./reservoir.ts";
import { HeadRows, showLastStates } from "./rewritten-lines.ts";
import type { Candidate, Row } from "./row.ts";
import { RowScanner } from "./row-scanner.ts";
import { createWordAutomaton } from "./rules/log-automaton.ts";
import { TemplateCounts } from "./template.ts";
import { withAnswers } from "./with-answers.ts";

/** An analyzer that tells how much work it did, so that a test can prove the work linear. */
export interface LogAnalyzer extends Analyzer {
  /** Bytes scanned and decoded. */
  readonly work: number;
  /** Goes on with the line that begins at a later position; what lies between is not read. */
  skip(to: Position): void;
  /** The lines that report something; to be asked after the last byte. */
  reports(total: Position): Report[];
}

export interface LogOptions extends AnalyzerOptions {
  /** Reads along, so that the rows are cut and looked through once. */
  readonly finder?: AnswerFinder | undefined;
}

const MAX_HELD_CHARS = 4_000_000;
const HISTORY_BYTES = 65_536;
const HEAD_ROWS = 1000;
const TAIL_SHARE = 0.75;
/** Rows of a form are compared among so many first rows. */
const COMPARED_ROWS = 24_576;
/** The first rows are all looked at for repeats, later ones in samples: 16 rows of every 256. */
const WATCHED_ROWS = 4096;
const SAMPLED_ROWS = 16;
const SAMPLE_MASK = 255;

/** Reads logs, test runs and traces, and whatever else has lines. */
export function createLogAnalyzer(options: LogOptions): LogAnalyzer {
  return new RowAnalyzer(options);
}

// A class, since an object with a getter of its own is never young: the collector would copy all that it leads to, for
// every preview.
class RowAnalyzer implements LogAnalyzer {
  readonly #budget: number;
  readonly #historyBytes: number;
  readonly #relevance: Relevance;
  readonly #scanner: RowScanner;
  readonly #reservoir: Reservoir;
  readonly #templates = new TemplateCounts();
  readonly #findings = new Findings();
  readonly #builder: BlockBuilder;
  readonly #head = new HeadRows();
  readonly #forms = new LineForms(() => this.#scanner.row(0));
  readonly #repeats: Repeats;
  #events: RareEvents | undefined;

  constructor({ room, query, finder }: LogOptions) {
    this.#budget = Math.min(heldChars(room), MAX_HELD_CHARS);
    this.#historyBytes = Math.max(HISTORY_BYTES, this.#budget / 2);
    this.#relevance = new Relevance(query, { general: false });
    const automaton = createWordAutomaton(this.#relevance.needles, finder?.words);
    this.#scanner = new RowScanner(automaton, this.#historyBytes, finder);
    this.#repeats = new Repeats(this.#scanner);
    finder?.listenTo(this.#scanner);
    this.#reservoir = new Reservoir(Math.max(65_536, 4 * this.#budget));
    this.#builder = new BlockBuilder(this.#scanner, this.#reservoir, this.#templates, this.#relevance, this.#findings);
    this.#scanner.listen({ onRow: (mask) => this.#takeHead(mask) }, true);
  }

  get work(): number {
    return this.#scanner.work;
  }

  write(chunk: Uint8Array): void {
    this.#scanner.write(chunk);
  }

  skip(to: Position): void {
    this.#scanner.end();
    this.#builder.end();
    this.#scanner.skip(to);
    this.#repeats.interrupt();
  }

  reports(total: Position): Report[] {
    return reportsOf(this.#find(total).found);
  }

  finish(room: Room, total: Position, answers?: Answers): Selection {
    const { found, tail } = this.#find(total);
    const head = this.#head.rows;
    const bounded = boundMereWords(found, [...head, ...tail], heldChars(room));
    const ranked = keepHead(bounded, head);
    const answered = showLastStates(answers === undefined ? ranked : withAnswers(ranked, answers, room));
    const runs = foldedRuns(this.#repeats.runs, total.byte);
    const candidates = withoutRepeats(answered, runs);
    const summary = this.#findings.summary(room);
    const rest = summary.reduce((left, line) => shrinkRoom(left, lineCost(line, room)), room);
    const { text, pieces } = chooseRows(this.#findings.withHeadings(candidates), rest, total, {
      count: (kind) => this.#builder.countOf(kind),
      runs,
    });
    return { text: [...summary, ...(text === "" ? [] : [text])].join("\n"), pieces };
  }

  /** What may be shown, and the last rows. */
  #find(total: Position): { readonly found: Candidate[]; readonly tail: readonly Row[] } {
    const scanner = this.#scanner;
    scanner.end();
    this.#builder.end();
    const reach = scanner.reach(this.#historyBytes);
    const latest = (rows = reach): Row[] => scanner.latest(Math.min(rows, reach));
    const tail = latest(scanner.reach(TAIL_SHARE * this.#budget) || reach);
    const ends = { head: this.#head.rows, tail, latest };
    const events = [...(this.#events?.candidates() ?? []), ...this.#forms.candidates()];
    return { found: rankRows(this.#reservoir.blocks(), ends, this.#relevance, total.byte, events), tail };
  }

  /** The first rows are kept whatever they say. */
  #takeHead(mask: number): boolean {
    const head = this.#head;
    head.add(this.#scanner.row(0), this.#budget / 4);
    this.#scanner.giveLatest(this.#forms);
    this.#scanner.giveLatest(this.#repeats);
    if (mask !== 0 || this.#builder.attentive) this.#builder.onRow(mask);
    if (head.rows.length >= HEAD_ROWS || head.bytes >= this.#budget / 4) this.#watch();
    return true;
  }

  /** Every row is looked at, for events of a dated log and for what differs in lines of one form as long as that tells something. */
  #watch(): void {
    const events = new RareEvents(this.#head.rows);
    this.#events = events;
    const forms = this.#forms;
    const repeats = this.#repeats;
    const scanner = this.#scanner;
    const builder = this.#builder;
    const readRow = (): Row => scanner.row(0);
    const onRow = (mask: number): boolean => {
      const rows = scanner.count;
      if (events.watching) events.add(scanner.eventKind(), readRow);
      if (rows < COMPARED_ROWS && forms.watching) scanner.giveLatest(forms);
      if (rows < WATCHED_ROWS || (rows & SAMPLE_MASK) < SAMPLED_ROWS || repeats.running) scanner.giveLatest(repeats);
      else if ((rows & SAMPLE_MASK) === SAMPLED_ROWS) repeats.interrupt();
      if (mask !== 0 || builder.attentive) builder.onRow(mask);
      return true;
    };
    scanner.listen({ onRow }, true);
  }
}

/** Characters the room can show at most. */
export function heldChars(room: Room): number {
  return Math.min(room.chars, room.bytes, room.tokens * 6, room.lines * 400);
}
