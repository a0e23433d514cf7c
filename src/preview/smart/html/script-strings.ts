import { byteLength, decode } from "../../../bytes/utf8.ts";
import type { Position } from "../analyzer.ts";

/** Elements whose content is no markup; it is skipped up to their end tag. */
const RAW_ELEMENT = /^(?:script|style|noscript|template|iframe|textarea|svg|math|object)(?=[\s/]|$)/i;
const JSON_SCRIPT = /^script\s.*\btype\s*=\s*["']?application\/(?:[\w.-]+\+)?json\b/is;
const LT = 60;
const GT = 62;
const COLON = 58;

/** Skips what stands within scripts and the like, save for running text in JSON. */
export class RawContent {
  /** Members of JSON so far: data has few tags and is still no reason to doubt that this is a page. */
  members = 0;
  /** End tag that closes the element, lower case, and how much of it has been matched. */
  #end = "";
  #matched = 0;
  readonly #strings: ScriptStrings;
  #json = false;

  constructor(found: (text: string, start: Position, end: Position) => void) {
    this.#strings = new ScriptStrings(found);
  }

  /** True when the content of the element with this start tag is to be skipped. */
  begin(source: string): boolean {
    const raw = RAW_ELEMENT.exec(source);
    if (raw === null) return false;
    this.#end = `</${raw[0].toLowerCase()}`;
    this.#json = JSON_SCRIPT.test(source);
    this.#strings.reset();
    this.#matched = 0;
    return true;
  }

  /** Where in the chunk the element ends, not before `from`; -1 when it goes on. */
  skip(chunk: Uint8Array, from: number, positionAt: (at: number) => Position): number {
    for (let at = from; at < chunk.length; at++) {
      if (this.#matched === 0 && !this.#json) {
        at = chunk.indexOf(LT, at);
        if (at < 0) return -1;
      }
      const byte = chunk[at] as number;
      if (this.#json) {
        if (byte === COLON) this.members++;
        this.#strings.take(byte, at, positionAt);
      }
      if (this.#matched === this.#end.length) {
        if (byte === GT) return at + 1;
        continue;
      }
      const lower = byte >= 65 && byte <= 90 ? byte + 32 : byte;
      if (lower === this.#end.charCodeAt(this.#matched)) this.#matched++;
      else this.#matched = byte === LT ? 1 : 0;
    }
    return -1;
  }
}

const MAX_STRING = 16_384;
/** Shorter strings, and those without spaces, are names and addresses. */
const MIN_STRING = 80;
const MIN_SPACES = 8;
const QUOTE = 34;
const BACKSLASH = 92;
const BREAK =
  /(?:\\[nrt]|(?:<|\\u003c)\\?\/?(?:p|div|br|h[1-6]|li|ul|ol|blockquote)\b[^<>\\]{0,300}\/?(?:>|\\u003e)|\s{2,})+/gi;
const TAG = /<\/?[a-z][^<>]{0,300}>/gi;

/** Finds running text in the strings of JSON within a script; of a string beyond 16 KB, its beginning. */
export class ScriptStrings {
  readonly #found: (text: string, start: Position, end: Position) => void;
  readonly #buffer = new Uint8Array(MAX_STRING);
  #length = 0;
  #inside = false;
  #escaped = false;
  #start: Position | undefined;

  constructor(found: (text: string, start: Position, end: Position) => void) {
    this.#found = found;
  }

  /** Takes the byte that stands at this place of the chunk. */
  take(byte: number, at: number, positionAt: (at: number) => Position): void {
    if (!this.#inside) {
      if (byte === QUOTE) this.#begin();
      return;
    }
    if (byte === QUOTE && !this.#escaped) {
      this.#inside = false;
      this.#tell();
      return;
    }
    this.#escaped = byte === BACKSLASH && !this.#escaped;
    this.#start ??= positionAt(at);
    if (this.#length < MAX_STRING) this.#buffer[this.#length++] = byte;
  }

  /** Forgets a string that has not ended. */
  reset(): void {
    this.#inside = false;
  }

  #begin(): void {
    this.#inside = true;
    this.#escaped = false;
    this.#length = 0;
    this.#start = undefined;
  }

  #tell(): void {
    if (this.#length < MIN_STRING || this.#start === undefined) return;
    const held = decode(this.#buffer.subarray(0, this.#length));
    const raw = this.#length === MAX_STRING ? held.replace(/\ufffd$/, "") : held;
    if (raw.includes("\ufffd") || raw.split(" ", MIN_SPACES + 1).length <= MIN_SPACES) return;
    let from = 0;
    let start = this.#start;
    for (const { index, 0: found } of [...raw.matchAll(BREAK), { index: raw.length, 0: "" }]) {
      const end = advance(start, raw.slice(from, index)) as Position;
      for (const part of splitText({ raw: raw.slice(from, index), start, end })) this.#give(part);
      start = advance(end, found) as Position;
      from = index + found.length;
    }
  }

  #give({ raw, start, end }: PlacedText): void {
    const text = unescapeString(raw).replace(TAG, "");
    if (text.trim() !== "") this.#found(text, start, end);
  }
}

function unescapeString(raw: string): string {
  return raw
    .replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, code: string | undefined, char: string | undefined) =>
      code === undefined
        ? /[bfnrt]/.test(char ?? "")
          ? " "
          : (char ?? "")
        : String.fromCharCode(Number.parseInt(code, 16)),
    )
    .toWellFormed();
}

/** A text of the source with its place. */
export interface PlacedText {
  readonly raw: string;
  readonly start: Position;
  readonly end: Position;
}

/** A paragraph longer than this is shown as several. */
export const LONG_CHARS = 1200;
const SENTENCE_END = /[.!?]["'”’)]{0,2}\s|[。！？」]/g;

/** Cuts a text of more than `LONG_CHARS` after sentences into parts of about half of that. */
export function splitText(text: PlacedText): readonly PlacedText[] {
  if (text.raw.length <= LONG_CHARS || text.raw.includes("\ufffd")) return [text];
  const parts: PlacedText[] = [];
  let { start } = text;
  let from = 0;
  for (const { index, 0: found } of text.raw.matchAll(SENTENCE_END)) {
    const to = index + found.length;
    if (to - from < LONG_CHARS / 2 || text.raw.length - to < LONG_CHARS / 4) continue;
    const raw = text.raw.slice(from, to);
    const end = advance(start, raw) as Position;
    parts.push({ raw, start, end });
    start = end;
    from = to;
  }
  parts.push({ raw: text.raw.slice(from), start, end: text.end });
  return parts;
}

/** The position after `text`, which begins at `from`; undefined where the text no longer tells its bytes. */
export function advance(from: Position, text: string): Position | undefined {
  if (text.includes("\ufffd")) return undefined;
  let line = from.line;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) line++;
  const inLine = text === "" ? from.inLine : !text.endsWith("\n");
  return { line, byte: from.byte + byteLength(text), char: from.char + text.length, inLine };
}
