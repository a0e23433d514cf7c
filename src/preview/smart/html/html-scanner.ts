import { decode } from "../../../bytes/utf8.ts";
import type { Position } from "../analyzer.ts";
import { PositionCounter } from "../lines/position-counter.ts";
import { ScriptStrings } from "./script-strings.ts";

/** Takes tags and texts in order. */
export interface HtmlSink {
  /** A run of text between tags, as it stands in the source; at most a few thousand bytes at once. */
  text(raw: string, start: Position, end: Position): void;
  /** A tag without its brackets: `p class="x"`, `/div`, `br/`. */
  tag(source: string): void;
  /** Running text from a string of JSON within a script. */
  scriptText(text: string, start: Position, end: Position): void;
}

const MAX_TEXT = 4096;
const MAX_TAG = 1024;
const TEXT = 0;
const OPENING = 1;
const TAG = 2;
const QUOTED = 3;
const COMMENT = 4;
const RAW = 5;
const LT = 60;
const GT = 62;
const CDATA = "[CDATA[";

const latin1 = new TextDecoder("latin1");

/** Elements whose content is no markup; it is skipped up to their end tag. */
const RAW_ELEMENT = /^(?:script|style|noscript|template|iframe|textarea|svg|math|object)(?=[\s/]|$)/i;

const RAW_BEGINS = "sntimoSNTIMO";

const JSON_SCRIPT = /^script\s.*\btype\s*=\s*["']?application\/(?:[\w.-]+\+)?json\b/is;

/** Cuts HTML or XML into tags and texts, byte by byte, in constant memory. */
export class HtmlScanner {
  /** Tags seen so far. */
  tags = 0;
  readonly #sink: HtmlSink;
  readonly #counter = new PositionCounter();
  readonly #buffer = new Uint8Array(MAX_TEXT);
  #length = 0;
  /** The chunk with a character for each byte, and where in it the buffer's content stands; -1 when it does not. */
  #chunkText = "";
  #origin = -1;
  #at = 0;
  /** True when the content is more than ASCII. */
  #wide = false;
  #state = TEXT;
  #quote = 0;
  #start: Position = this.#counter.position();
  /** End tag that closes the raw element, lower case, and how much of it has been matched. */
  #rawEnd = "";
  #matched = 0;
  /** How much of the beginning of CDATA has been matched. */
  #opened = 0;
  #dashes = 0;
  /** Within `<![CDATA[ … ]]>`, whose content is read as what it mostly is: markup. */
  #cdata = false;
  readonly #strings: ScriptStrings;
  readonly #here = (): Position => this.#counter.position();
  #json = false;

  constructor(sink: HtmlSink) {
    this.#sink = sink;
    this.#strings = new ScriptStrings((text, start, end) => sink.scriptText(text, start, end));
  }

  /** Lines so far. */
  get lines(): number {
    return this.#counter.line;
  }

  write(chunk: Uint8Array): void {
    this.#chunkText = latin1.decode(chunk);
    this.#origin = -1;
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index] as number;
      this.#at = index;
      if (this.#length === 0) this.#restart();
      const plain = this.#plainUntil(chunk, index);
      if (plain > index) {
        this.#counter.takeAscii(plain - index);
        index = plain - 1;
        continue;
      }
      switch (this.#state) {
        case TEXT:
          this.#takeText(byte);
          break;
        case OPENING:
          this.#takeOpening(byte);
          break;
        case TAG:
        case QUOTED:
          this.#takeTag(byte);
          break;
        case COMMENT:
          this.#takeComment(byte);
          break;
        default:
          this.#takeRaw(byte);
      }
      this.#counter.take(byte);
    }
  }

  end(): void {
    if (this.#state === TEXT) this.#flush();
  }

  /** Takes what needs no decision, up to the returned place: text, the inside of a tag, a quoted value or a script. */
  #plainUntil(chunk: Uint8Array, from: number): number {
    const state = this.#state;
    if (state === OPENING || state === COMMENT || (state === RAW && (this.#matched > 0 || this.#json))) return from;
    const most = state === RAW ? chunk.length : from + (state === TEXT ? MAX_TEXT - 4 : MAX_TAG) - this.#length;
    const limit = Math.min(chunk.length, most);
    if (state === TEXT && this.#length === 0) this.#start = this.#counter.position();
    let index = from;
    for (; index < limit; index++) {
      const byte = chunk[index] as number;
      if (byte === LT || byte > 0x7e || byte < 32 || byte === this.#quote || (byte === GT && this.#cdata)) break;
      if (state === TAG && (byte === GT || byte === 34 || byte === 39)) break;
      if (state !== RAW) this.#buffer[this.#length++] = byte;
    }
    return index;
  }

  #takeText(byte: number): void {
    if (byte === LT) {
      this.#flush();
      this.#start = this.#counter.position();
      this.#restart();
      this.#buffer[0] = byte;
      this.#length = 1;
      this.#state = OPENING;
      return;
    }
    if (byte === GT && this.#cdata && this.#endsWithBrackets()) {
      this.#cdata = false;
      this.#length -= 2;
      this.#origin = -1;
      return;
    }
    // Long texts are handed over in parts, but never in the middle of a character.
    if (this.#length >= MAX_TEXT - 4 && (byte < 0x80 || byte >= 0xc0 || this.#length >= MAX_TEXT)) this.#flush();
    if (this.#length === 0) {
      this.#start = this.#counter.position();
      this.#restart();
    }
    if (byte >= 0x80) this.#wide = true;
    this.#buffer[this.#length++] = byte;
  }

  #endsWithBrackets(): boolean {
    return this.#length >= 2 && this.#buffer[this.#length - 1] === 93 && this.#buffer[this.#length - 2] === 93;
  }

  #takeOpening(byte: number): void {
    if (isLetter(byte) || byte === 47) {
      this.#restart();
      this.#state = TAG;
      this.#takeTag(byte);
    } else if (byte === 33 || byte === 63) {
      this.#length = 0;
      this.#dashes = byte === 33 ? 0 : -1;
      this.#state = COMMENT;
      this.#matched = 0;
      this.#opened = 0;
    } else {
      // A lone "<" is text.
      this.#state = TEXT;
      this.#takeText(byte);
    }
  }

  #takeTag(byte: number): void {
    if (this.#state === QUOTED) {
      if (byte === this.#quote) {
        this.#state = TAG;
        this.#quote = 0;
      }
    } else if (byte === GT) {
      this.#closeTag();
      return;
    } else if ((byte === 34 || byte === 39) && this.#buffer[Math.min(this.#length, MAX_TAG) - 1] === 61) {
      this.#state = QUOTED;
      this.#quote = byte;
    }
    if (byte >= 0x80) this.#wide = true;
    if (this.#length < MAX_TAG) this.#buffer[this.#length++] = byte;
  }

  #closeTag(): void {
    this.tags++;
    const source = this.#content();
    this.#length = 0;
    this.#state = TEXT;
    const mayBeRaw = RAW_BEGINS.includes(source.charAt(0)) && !source.endsWith("/");
    const raw = mayBeRaw ? RAW_ELEMENT.exec(source) : null;
    if (raw !== null) {
      this.#rawEnd = `</${raw[0].toLowerCase()}`;
      this.#json = JSON_SCRIPT.test(source);
      this.#strings.reset();
      this.#matched = 0;
      this.#state = RAW;
    } else {
      this.#sink.tag(source);
    }
  }

  /** `<!-- … -->`, `<!DOCTYPE …>`, `<? … >`, and the beginning of CDATA. */
  #takeComment(byte: number): void {
    if (byte === CDATA.charCodeAt(this.#opened) && this.#opened === this.#matched) {
      if (++this.#opened === CDATA.length) {
        this.#cdata = true;
        this.#state = TEXT;
        return;
      }
    }
    this.#matched++;
    if (this.#dashes >= 0) {
      if (this.#matched <= 2 && byte === 45) this.#dashes++;
      if (this.#matched === 2 && this.#dashes < 2) this.#dashes = -1;
    }
    if (this.#dashes >= 2) {
      if (byte === 45) this.#dashes = Math.min(this.#dashes + 1, 4);
      else if (byte === GT && this.#dashes >= 4 && this.#matched > 3) this.#state = TEXT;
      else this.#dashes = 2;
    } else if (byte === GT) {
      this.#state = TEXT;
    }
  }

  #takeRaw(byte: number): void {
    if (this.#json) this.#takeJson(byte);
    const lower = byte >= 65 && byte <= 90 ? byte + 32 : byte;
    if (this.#matched === this.#rawEnd.length) {
      if (byte === GT) this.#state = TEXT;
      return;
    }
    if (lower === this.#rawEnd.charCodeAt(this.#matched)) this.#matched++;
    else this.#matched = byte === LT ? 1 : 0;
  }

  #takeJson(byte: number): void {
    // Data has few tags and is still no reason to doubt that this is a page.
    if (byte === 58) this.tags++;
    this.#strings.take(byte, this.#here);
  }

  /** The buffer is filled from this byte on. */
  #restart(): void {
    this.#length = 0;
    this.#origin = this.#at;
    this.#wide = false;
  }

  /** What the buffer holds. Most is ASCII, and then a slice of the chunk. */
  #content(): string {
    const origin = this.#origin;
    return origin < 0 || this.#wide
      ? decode(this.#buffer.subarray(0, this.#length))
      : this.#chunkText.slice(origin, origin + this.#length);
  }

  #flush(): void {
    if (this.#length === 0) return;
    const raw = this.#content();
    this.#length = 0;
    this.#sink.text(raw, this.#start, this.#counter.position());
  }
}

function isLetter(byte: number): boolean {
  return (byte >= 97 && byte <= 122) || (byte >= 65 && byte <= 90);
}
