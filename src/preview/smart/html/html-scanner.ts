import { isAscii } from "../../../bytes/ascii-scan.ts";
import { decode } from "../../../bytes/utf8.ts";
import { PositionCounter } from "../../lines/position-counter.ts";
import type { Position } from "../analyzer.ts";
import { Comment } from "./comment.ts";
import { elementAt } from "./elements.ts";
import type { HtmlSink } from "./html-sink.ts";
import { RawContent } from "./raw-content.ts";
import { Run } from "./run.ts";
import { BLANK, CDATA_KIND, ENDING, KIND, ODD, PLAIN, SPACE, UNEVEN, WIDE } from "./text-kind.ts";

/** Of so many bytes many are all ASCII even where a page is not, and these are counted sooner. */
const BLOCK_BYTES = 16_384;
const MAX_TEXT = 4096;
const MAX_TAG = 1024;
const TEXT = 0;
const OPENING = 1;
const TAG = 2;
const COMMENT = 3;
const RAW = 4;
const QUOTE = 34;
const APOSTROPHE = 39;
const SLASH = 47;
const EQUALS = 61;
const LT = 60;
const GT = 62;
const NOTHING = new Uint8Array(0);

const latin1 = new TextDecoder("latin1");

/** Cuts HTML or XML into tags and texts in constant memory. */
export class HtmlScanner {
  #tags = 0;
  readonly #sink: HtmlSink;
  readonly #counter = new PositionCounter();
  #chunk: Uint8Array = NOTHING;
  /** The chunk with a character for each byte. */
  #chunkText = "";
  #seen = 0;
  /** The open text or tag: what earlier chunks held of it, and where it goes on in this one. */
  readonly #kept = new Uint8Array(MAX_TEXT);
  #length = 0;
  #from = 0;
  /** Where a tag that has ended ends in the chunk, or where what is read of it does. */
  #to = 0;
  /** The open text, if it begins in an earlier chunk. */
  #run = new Run();
  /** What its bytes are, and the last of them. */
  #kinds = 0;
  #last = 0;
  #state = TEXT;
  /** The quote around a value within a tag. */
  #quote = 0;
  readonly #comment = new Comment();
  /** Within `<![CDATA[ … ]]>`, whose content is read as what it mostly is: markup. */
  #cdata = false;
  readonly #raw: RawContent;
  readonly #positions = (at: number): Position => this.#counter.positionAt(at);
  readonly #source = (): string => this.#content(this.#to);

  constructor(sink: HtmlSink) {
    this.#sink = sink;
    this.#raw = new RawContent((text, start, end) => sink.scriptText(text, start, end));
  }

  /** Tags so far, and members of data in scripts. */
  get tags(): number {
    return this.#tags + this.#raw.members;
  }

  /** Lines so far. */
  get lines(): number {
    return this.#counter.line;
  }

  write(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; at += BLOCK_BYTES) this.#scan(chunk.subarray(at, at + BLOCK_BYTES));
  }

  end(): void {
    this.#scan(NOTHING);
    if (this.#state === TEXT) this.#flush(0);
  }

  #scan(chunk: Uint8Array): void {
    this.#chunk = chunk;
    this.#chunkText = latin1.decode(chunk);
    this.#seen += chunk.length;
    this.#counter.load(chunk, isAscii(chunk, this.#seen) ? this.#chunkText : undefined);
    this.#from = 0;
    for (let at = 0; at < chunk.length; ) {
      if (this.#state === TEXT) at = this.#readText(chunk, at);
      else if (this.#state === TAG) at = this.#readTag(chunk, at);
      else if (this.#state === RAW) at = this.#readRaw(chunk, at);
      else if (this.#state === COMMENT) at = this.#readComment(chunk, at);
      else at = this.#readOpening(chunk[at] as number, at);
    }
    if (this.#state <= OPENING && this.#length === 0) this.#run = this.#beginRun();
    if (this.#state <= TAG) this.#keepTo(chunk.length);
    this.#counter.countTo(chunk.length);
  }

  #readText(chunk: Uint8Array, from: number): number {
    const length = this.#length + from - this.#from;
    const byte = chunk[from] as number;
    const table = this.#cdata ? CDATA_KIND : KIND;
    const long = length >= MAX_TEXT - 4;
    // Long texts are handed over in parts, but never in the middle of a character.
    if (long && table[byte] !== ENDING && (byte < 0x80 || byte >= 0xc0 || length >= MAX_TEXT)) {
      this.#flush(from);
      return from;
    }
    const limit = Math.min(chunk.length, from + Math.max(1, MAX_TEXT - 4 - length));
    let kinds = this.#kinds;
    let last = this.#last;
    let at = from;
    for (; at < limit; at++) {
      const kind = table[chunk[at] as number] as number;
      if (kind === ENDING) break;
      kinds |= kind === BLANK && last === BLANK ? BLANK | UNEVEN : kind;
      last = kind;
    }
    this.#kinds = kinds;
    this.#last = last;
    if (at === limit) return at;
    if (chunk[at] === LT) {
      this.#flush(at);
      this.#state = OPENING;
      return at + 1;
    }
    if (this.#endsWithBrackets(at)) this.#endCdata(at);
    else {
      if (this.#length + at - this.#from >= MAX_TEXT - 4) this.#flush(at);
      this.#kinds |= PLAIN;
      this.#last = PLAIN;
    }
    return at + 1;
  }

  /** Takes the brackets that end CDATA out of the text, which goes on. */
  #endCdata(at: number): void {
    this.#cdata = false;
    if (this.#length === 0) this.#run = this.#beginRun();
    this.#keepTo(at);
    this.#length -= 2;
    this.#from = at + 1;
    // What stood before the brackets is followed now by what stands behind them, and may be nothing.
    this.#kinds = this.#length === 0 ? 0 : (this.#kinds & ~PLAIN) | ODD | UNEVEN;
    this.#last = 0;
  }

  #endsWithBrackets(at: number): boolean {
    return this.#length + at - this.#from >= 2 && this.#byteBefore(at, 1) === 93 && this.#byteBefore(at, 2) === 93;
  }

  /** The byte of the open text or tag that stands so many before this place of the chunk. */
  #byteBefore(at: number, count: number): number | undefined {
    return at - count >= this.#from ? this.#chunk[at - count] : this.#kept[this.#length + at - this.#from - count];
  }

  #readOpening(byte: number, at: number): number {
    if (isLetter(byte) || byte === SLASH) {
      this.#length = 0;
      this.#from = at;
      this.#state = TAG;
      this.#kinds = 0;
      return at;
    }
    if (byte === 33 || byte === 63) {
      this.#length = 0;
      this.#comment.begin(byte);
      this.#state = COMMENT;
      return at + 1;
    }
    // A lone "<" is text.
    this.#state = TEXT;
    this.#kinds = PLAIN;
    this.#last = PLAIN;
    return at;
  }

  #readTag(chunk: Uint8Array, from: number): number {
    let seen = 0;
    let quote = this.#quote;
    let at = from;
    for (; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      seen |= byte;
      if (quote !== 0) {
        if (byte === quote) quote = 0;
      } else if (byte === GT) break;
      else if ((byte === QUOTE || byte === APOSTROPHE) && this.#followsEquals(at)) quote = byte;
    }
    this.#quote = quote;
    if (seen >= 0x80) this.#kinds = WIDE;
    if (at === chunk.length) return at;
    this.#closeTag(at);
    return at + 1;
  }

  #followsEquals(at: number): boolean {
    const length = this.#length + at - this.#from;
    return this.#byteBefore(at, length > MAX_TAG ? length - MAX_TAG + 1 : 1) === EQUALS;
  }

  #closeTag(end: number): void {
    this.#tags++;
    const kept = this.#length > 0;
    if (kept) this.#keepTo(end);
    this.#to = kept ? end : Math.min(end, this.#from + MAX_TAG);
    const bytes = kept ? this.#kept : this.#chunk;
    const from = kept ? 0 : this.#from;
    const to = kept ? this.#length : this.#to;
    const closes = bytes[from] === SLASH;
    const closed = bytes[to - 1] === SLASH;
    const element = elementAt(bytes, closes ? from + 1 : from, to);
    const bare = element?.name.length === to - from;
    this.#state = TEXT;
    if (element !== undefined) {
      if (closes) this.#sink.close(element);
      else if (element.raw && !closed && this.#raw.begin(this.#source())) this.#state = RAW;
      else this.#sink.open(element, closed, bare ? undefined : this.#source);
    }
    this.#restart(end + 1);
  }

  #readComment(chunk: Uint8Array, from: number): number {
    let at = from;
    while (at < chunk.length && this.#state === COMMENT) {
      if (this.#comment.take(chunk[at++] as number)) this.#state = TEXT;
    }
    this.#cdata ||= this.#comment.cdata;
    this.#restart(at);
    return at;
  }

  #readRaw(chunk: Uint8Array, from: number): number {
    const end = this.#raw.skip(chunk, from, this.#positions);
    if (end < 0) return chunk.length;
    this.#state = TEXT;
    this.#restart(end);
    return end;
  }

  /** A text or tag begins at this place of the chunk. */
  #restart(at: number): void {
    this.#length = 0;
    this.#from = at;
    this.#kinds = 0;
    this.#last = 0;
  }

  #keepTo(end: number): void {
    const most = this.#state === TAG ? MAX_TAG : MAX_TEXT;
    const to = Math.min(end, this.#from + most - this.#length);
    this.#kept.set(this.#chunk.subarray(this.#from, to), this.#length);
    this.#length += to - this.#from;
    this.#from = end;
  }

  /** The open text or tag up to this place of the chunk. Most is ASCII, and then a slice of the chunk. */
  #content(to: number): string {
    if (this.#length > 0) {
      this.#keepTo(to);
      return decode(this.#kept.subarray(0, this.#length));
    }
    if ((this.#kinds & WIDE) !== 0) return decode(this.#chunk.subarray(this.#from, to));
    return this.#chunkText.slice(this.#from, to);
  }

  /** Begins where the open text does in this chunk. */
  #beginRun(): Run {
    this.#counter.countTo(this.#from);
    const run = new Run();
    run.beginAt(this.#counter);
    return run;
  }

  #flush(at: number): void {
    if (this.#length + at > this.#from) {
      if ((this.#kinds & ~(BLANK | SPACE | UNEVEN)) === 0 && !this.#sink.keepsBlanks) this.#sink.blank();
      else {
        const run = this.#length > 0 ? this.#run : this.#beginRun();
        const raw = this.#content(at);
        this.#counter.countTo(at);
        run.endAt(this.#counter);
        this.#sink.text(raw, this.#kinds, run);
      }
    }
    this.#restart(at);
  }
}

function isLetter(byte: number): boolean {
  return (byte >= 97 && byte <= 122) || (byte >= 65 && byte <= 90);
}
