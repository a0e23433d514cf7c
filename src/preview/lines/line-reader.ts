import { decode, isContinuation } from "../../bytes/utf8.ts";
import { cleanLine, needsCleaning } from "../clean.ts";
import type { Position, Room, Selection } from "../pieces.ts";
import type { Analyzer } from "../smart/analyzer.ts";
import type { Answers } from "../smart/answers/answer-finder.ts";

/** Where the current line stands in the raw output. `bytes` and `chars` include its newline, if it has one. */
export interface LineSpan {
  line: number;
  byte: number;
  char: number;
  bytes: number;
  chars: number;
  /** False only for a last line without a newline. */
  terminated: boolean;
  /** True when `text` is only the beginning of the line. */
  cut: boolean;
  /** True when the text is known to be as a terminal would leave it. */
  clean: boolean;
  /** False when the line is known to hold no word of the question. */
  asked: boolean;
}

/** Knows the words of a question. */
export interface Mentions {
  /** Where in lower-cased text the next word stands, not before `from`; infinity when there is none. */
  nextMention(lower: string, from: number): number;
}

/** A span of nothing at the start of the output. */
export function newSpan(): LineSpan {
  return { line: 1, byte: 0, char: 0, bytes: 0, chars: 0, terminated: true, cut: false, clean: false, asked: true };
}

/** Copies a span that is about to be reused. */
export function copySpan(from: Readonly<LineSpan>, to: LineSpan): void {
  to.line = from.line;
  to.byte = from.byte;
  to.char = from.char;
  to.bytes = from.bytes;
  to.chars = from.chars;
  to.terminated = from.terminated;
  to.cut = from.cut;
  to.clean = from.clean;
  to.asked = from.asked;
}

/** A line's text as a terminal would leave it. */
export function shownText(text: string, { clean }: Readonly<LineSpan>): string {
  return clean ? text : cleanLine(text);
}

/** Takes one line without its newline. `span` is reused for the next line: copy what you keep. */
type LineSink = (text: string, span: Readonly<LineSpan>) => void;

/** Takes many lines at once and moves `span` on to the next. Gives how many bytes it took; the line there comes by itself. */
type BlockSink = (lines: Uint8Array, span: LineSpan) => number;

/** How many bytes of one line are read as text; the rest is only counted. */
const MAX_LINE_BYTES = 16_384;

const NEWLINE = 10;
const NOTHING = new Uint8Array(0);

/**
 * Cuts bytes into lines with exact positions, whatever the chunks. Holds at most one line's beginning, so that a line
 * of any length costs constant memory.
 */
export class LineReader {
  /** Bytes read so far, those that were held across chunks counted again. */
  work = 0;
  /** What the lines are searched for, many at once. */
  question: Mentions | undefined;
  readonly #sink: LineSink;
  readonly #blockSink: BlockSink | undefined;
  readonly #span = newSpan();
  #carry = NOTHING;
  #carryLength = 0;
  /** Counts the units of a line that outgrew the carry. */
  #longDecoder: InstanceType<typeof TextDecoder> | undefined;
  #longBytes = 0;
  #longChars = 0;

  constructor(sink: LineSink, blockSink?: BlockSink) {
    this.#sink = sink;
    this.#blockSink = blockSink;
  }

  write(chunk: Uint8Array): void {
    this.work += chunk.length;
    let rest = chunk;
    if (this.#carryLength > 0 || this.#longDecoder !== undefined) {
      const end = chunk.indexOf(NEWLINE);
      if (end < 0) {
        this.#hold(chunk);
        return;
      }
      this.#hold(chunk.subarray(0, end + 1));
      this.#flush(true);
      rest = chunk.subarray(end + 1);
    }
    const last = rest.lastIndexOf(NEWLINE);
    if (last >= 0) this.#blocks(rest.subarray(0, last + 1));
    if (last + 1 < rest.length) this.#hold(rest.subarray(last + 1));
  }

  /** Gives the last line when the output does not end with a newline. */
  end(): void {
    if (this.#carryLength > 0 || this.#longDecoder !== undefined) this.#flush(false);
  }

  #hold(part: Uint8Array): void {
    if (this.#longDecoder === undefined) {
      const needed = this.#carryLength + part.length;
      const kept = Math.min(needed, MAX_LINE_BYTES + 1);
      if (this.#carry.length < kept) {
        const grown = new Uint8Array(Math.min(MAX_LINE_BYTES + 1, Math.max(256, kept * 2)));
        grown.set(this.#carry.subarray(0, this.#carryLength));
        this.work += this.#carryLength;
        this.#carry = grown;
      }
      if (needed <= MAX_LINE_BYTES + 1) {
        this.#carry.set(part, this.#carryLength);
        this.#carryLength = needed;
        return;
      }
      const before = this.#carry.subarray(0, this.#carryLength);
      this.#longDecoder = new TextDecoder("utf-8", { ignoreBOM: true });
      this.#longBytes = before.length;
      this.#longChars = this.#longDecoder.decode(before, { stream: true }).length;
      this.#carry.set(part.subarray(0, MAX_LINE_BYTES + 1 - this.#carryLength), this.#carryLength);
      this.#carryLength = MAX_LINE_BYTES + 1;
    }
    this.#longBytes += part.length;
    this.#longChars += this.#longDecoder.decode(part, { stream: true }).length;
  }

  #flush(terminated: boolean): void {
    if (this.#longDecoder !== undefined) {
      this.#longChars += this.#longDecoder.decode().length;
      this.#emit(this.#beginning(this.#carry), this.#longBytes, this.#longChars, terminated, true);
      this.#longDecoder = undefined;
    } else {
      const text = decode(this.#carry.subarray(0, this.#carryLength));
      this.#emit(terminated ? text.slice(0, -1) : text, this.#carryLength, text.length, terminated, false);
    }
    this.#carryLength = 0;
  }

  #blocks(lines: Uint8Array): void {
    if (this.#blockSink === undefined) {
      this.#block(lines);
      return;
    }
    for (let at = 0; at < lines.length; ) {
      at += this.#blockSink(lines.subarray(at), this.#span);
      const end = at < lines.length ? lines.indexOf(NEWLINE, at) + 1 : at;
      if (end > at) this.#block(lines.subarray(at, end));
      at = end;
    }
  }

  #block(block: Uint8Array): void {
    const text = decode(block);
    // One look at many lines is much cheaper than one at each.
    this.#span.clean = !needsCleaning(text);
    const together = text.length === block.length;
    const mentions = this.#mentionsIn(text);
    let char = 0;
    let byte = 0;
    while (char < text.length) {
      const charEnd = text.indexOf("\n", char) + 1;
      const byteEnd = together ? charEnd : block.indexOf(NEWLINE, byte) + 1;
      this.#span.asked = mentions === undefined || mentions(char) < charEnd;
      this.#line(block, text, byte, byteEnd, char, charEnd);
      char = charEnd;
      byte = byteEnd;
    }
    this.#span.clean = false;
    this.#span.asked = true;
  }

  #line(block: Uint8Array, text: string, byte: number, byteEnd: number, char: number, charEnd: number): void {
    const bytes = byteEnd - byte;
    const cut = bytes > MAX_LINE_BYTES + 1;
    const line = cut ? this.#beginning(block.subarray(byte)) : text.slice(char, charEnd - 1);
    this.#emit(line, bytes, charEnd - char, true, cut);
  }

  /** Gives the next place of a word of the question; undefined when what is shown of a line may say something else. */
  #mentionsIn(text: string): ((from: number) => number) | undefined {
    const { question } = this;
    if (question === undefined || !this.#span.clean) return undefined;
    const lower = text.toLowerCase();
    if (lower.length !== text.length) return undefined;
    let next = -1;
    return (from) => {
      if (next < from) next = question.nextMention(lower, from);
      return next;
    };
  }

  #beginning(bytes: Uint8Array): string {
    let end = MAX_LINE_BYTES;
    for (let back = 0; back < 3 && isContinuation(bytes[end]); back++) end--;
    return decode(bytes.subarray(0, end));
  }

  #emit(text: string, bytes: number, chars: number, terminated: boolean, cut: boolean): void {
    const span = this.#span;
    span.bytes = bytes;
    span.chars = chars;
    span.terminated = terminated;
    span.cut = cut;
    this.#sink(text, span);
    span.line++;
    span.byte += bytes;
    span.char += chars;
  }
}

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
