import type { Position, Room, Selection } from "../pieces.ts";
import type { Analyzer } from "../smart/analyzer.ts";
import type { Answers } from "../smart/answers/answer-finder.ts";
import { LineReader, type LineSpan, type Mentions } from "./line-reader.ts";

/** What the analyzers of shapes made of lines have in common: each line is taken once, then some are selected. */
export abstract class LineAnalyzer implements Analyzer {
  readonly #reader = new LineReader((text, span) => this.take(text, span));

  /** Without a question all lines are told to hold what it asks. */
  constructor(question?: Mentions & { readonly empty: boolean }) {
    if (question?.empty === false) this.#reader.question = question;
  }

  abstract get wrongShape(): boolean;

  get work(): number {
    return this.#reader.work + this.weighed;
  }

  write(chunk: Uint8Array): void {
    this.#reader.write(chunk);
  }

  finish(room: Room, total: Position, answers?: Answers): Selection {
    this.#reader.end();
    return this.select(room, total, new Set(answers?.answers.map(({ row }) => row.line)));
  }

  /** Candidates weighed so far because memory ran short. */
  protected abstract get weighed(): number;

  /** Takes one line without its newline; `span` is only valid during the call. */
  protected abstract take(text: string, span: Readonly<LineSpan>): void;

  /** Called after the last line; `answered` holds the numbers of the lines that answer the question. */
  protected abstract select(room: Room, total: Position, answered: ReadonlySet<number>): Selection;
}
