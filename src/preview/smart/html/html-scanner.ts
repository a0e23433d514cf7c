import { asciiEnd } from "../../../bytes/ascii.ts";
import { decode } from "../../../bytes/utf8.ts";
import type { Position } from "../analyzer.ts";
import { PositionCounter } from "../position-counter.ts";
import { type ElementInfo, elementAt } from "./elements.ts";
import { RawContent } from "./script-strings.ts";

/** Takes tags and texts in order. */
export interface HtmlSink {
  /** True while texts of nothing but white space are passed to `text`, else to `blank`. */
  readonly keepsBlanks: boolean;
  /** A run of text between tags, as it stands in the source; a few thousand bytes at most. */
  text(raw: string, start: Position, end: Position): void;
  /** A run of white space. */
  blank(): void;
  /** A start tag; `source` gives what stands between its brackets, `p class="x"`, if that is more than its name. */
  open(element: ElementInfo, closed: boolean, source: (() => string) | undefined): void;
  close(element: ElementInfo): void;
  /** Running text from a string of JSON within a script. */
  scriptText(text: string, start: Position, end: Position): void;
}

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
const NOT_ASCII = /[\x80-\xff]/;
/** ASCII white space only. */
const BLANK = /^[\t-\r ]*$/;

const latin1 = new TextDecoder("latin1");

/** Cuts HTML or XML into tags and texts in constant memory. */
export class HtmlScanner {
  #tags = 0;
  readonly #sink: HtmlSink;
  readonly #counter = new PositionCounter();
  #chunk: Uint8Array = NOTHING;
  /** The chunk with a character for each byte. */
  #chunkText = "";
  #ascii = true;
  /** The open text or tag: what earlier chunks held of it, and where it goes on in this one. */
  readonly #kept = new Uint8Array(MAX_TEXT);
  #length = 0;
  #from = 0;
  /** Where a tag that has ended ends in the chunk, or where what is read of it does. */
  #to = 0;
  /** Where the open text begins, if that is in an earlier chunk. */
  #start: Position | undefined;
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
    this.#ascii = asciiEnd(chunk, 0, chunk.length) === chunk.length;
    this.#counter.load(chunk, this.#ascii ? this.#chunkText : undefined);
    this.#from = 0;
    for (let at = 0; at < chunk.length; ) {
      if (this.#state === TEXT) at = this.#readText(chunk, at);
      else if (this.#state === TAG) at = this.#readTag(chunk, at);
      else if (this.#state === RAW) at = this.#readRaw(chunk, at);
      else if (this.#state === COMMENT) at = this.#readComment(chunk, at);
      else at = this.#readOpening(chunk[at] as number, at);
    }
    if (this.#state <= OPENING && this.#length === 0) this.#start = this.#positionAt(this.#from);
    if (this.#state <= TAG) this.#keepTo(chunk.length);
    this.#counter.countTo(chunk.length);
  }

  #readText(chunk: Uint8Array, from: number): number {
    const length = this.#length + from - this.#from;
    const byte = chunk[from] as number;
    const long = length >= MAX_TEXT - 4;
    // Long texts are handed over in parts, but never in the middle of a character.
    if (long && !this.#endsText(byte) && (byte < 0x80 || byte >= 0xc0 || length >= MAX_TEXT)) {
      this.#flush(from);
      return from;
    }
    const limit = Math.min(chunk.length, from + Math.max(1, MAX_TEXT - 4 - length));
    const at = this.#endOfText(chunk, from, limit);
    if (at === limit) return at;
    if (chunk[at] === LT) {
      this.#flush(at);
      this.#state = OPENING;
    } else if (this.#endsWithBrackets(at)) this.#endCdata(at);
    else if (this.#length + at - this.#from >= MAX_TEXT - 4) this.#flush(at);
    return at + 1;
  }

  /** True for a byte at which a tag may begin, and for one at which CDATA may end. */
  #endsText(byte: number): boolean {
    return byte === LT || (this.#cdata && byte === GT);
  }

  #endOfText(chunk: Uint8Array, from: number, limit: number): number {
    if (!this.#cdata) {
      const found = chunk.indexOf(LT, from);
      return found < 0 || found > limit ? limit : found;
    }
    let at = from;
    while (at < limit && !this.#endsText(chunk[at] as number)) at++;
    return at;
  }

  /** Takes the brackets that end CDATA out of the text, which goes on. */
  #endCdata(at: number): void {
    this.#cdata = false;
    if (this.#length === 0) this.#start = this.#positionAt(this.#from);
    this.#keepTo(at);
    this.#length -= 2;
    this.#from = at + 1;
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
    return at;
  }

  #readTag(chunk: Uint8Array, from: number): number {
    let quote = this.#quote;
    let at = from;
    for (; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (quote !== 0) {
        if (byte === quote) quote = 0;
      } else if (byte === GT) break;
      else if ((byte === QUOTE || byte === APOSTROPHE) && this.#followsEquals(at)) quote = byte;
    }
    this.#quote = quote;
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
  }

  #keepTo(end: number): void {
    const most = this.#state === TAG ? MAX_TAG : MAX_TEXT;
    const to = Math.min(end, this.#from + most - this.#length);
    this.#kept.set(this.#chunk.subarray(this.#from, to), this.#length);
    this.#length += to - this.#from;
    this.#from = end;
  }

  /** The open text or tag up to this offset of the chunk. Most of it is ASCII, and then a slice of the chunk's text. */
  #content(to: number): string {
    if (this.#length > 0) {
      this.#keepTo(to);
      return decode(this.#kept.subarray(0, this.#length));
    }
    const text = this.#chunkText.slice(this.#from, to);
    return !this.#ascii && NOT_ASCII.test(text) ? decode(this.#chunk.subarray(this.#from, to)) : text;
  }

  #positionAt(at: number): Position {
    this.#counter.countTo(at);
    return this.#counter.position();
  }

  #flush(at: number): void {
    if (this.#length + at > this.#from) {
      const start = this.#length > 0 && this.#start !== undefined ? this.#start : this.#positionAt(this.#from);
      const raw = this.#content(at);
      if (!this.#sink.keepsBlanks && BLANK.test(raw)) this.#sink.blank();
      else this.#sink.text(raw, start, this.#positionAt(at));
    }
    this.#restart(at);
  }
}

function isLetter(byte: number): boolean {
  return (byte >= 97 && byte <= 122) || (byte >= 65 && byte <= 90);
}

const CDATA = "[CDATA[";
const DASH = 45;

const EXCLAMATION = 33;

/** Follows what begins with `<!` or `<?` to its end: a comment, `<!DOCTYPE …>`, `<? … >`, or the beginning of CDATA. */
export class Comment {
  /** True once it was found to be CDATA. */
  cdata = false;
  #taken = 0;
  /** How much of the beginning of CDATA has been matched. */
  #opened = 0;
  /** Dashes of `<!--` and, above two, of `-->`; -1 when it has none. */
  #dashes = 0;

  /** `byte` is the one behind the bracket. */
  begin(byte: number): void {
    this.cdata = false;
    this.#taken = 0;
    this.#opened = 0;
    this.#dashes = byte === EXCLAMATION ? 0 : -1;
  }

  /** Takes the next byte; true when it is the last. */
  take(byte: number): boolean {
    if (byte === CDATA.charCodeAt(this.#opened) && this.#opened === this.#taken) {
      this.cdata = ++this.#opened === CDATA.length;
      if (this.cdata) return true;
    }
    this.#taken++;
    if (this.#dashes >= 0) {
      if (this.#taken <= 2 && byte === DASH) this.#dashes++;
      if (this.#taken === 2 && this.#dashes < 2) this.#dashes = -1;
    }
    if (this.#dashes < 2) return byte === GT;
    if (byte === GT && this.#dashes >= 4 && this.#taken > 3) return true;
    this.#dashes = byte === DASH ? Math.min(this.#dashes + 1, 4) : 2;
    return false;
  }
}
