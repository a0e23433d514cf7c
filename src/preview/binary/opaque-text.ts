import { decode } from "../../bytes/utf8.ts";
import { cleanLine } from "../clean.ts";
import { fitsRoom } from "../fit.ts";
import { HEADING } from "../mark.ts";
import { formatPlural } from "../omission.ts";
import { makeSelection, type Room, type Selection } from "../pieces.ts";
import { fileType } from "./describe-binary.ts";

/** Below this an encoded text may be a key or a hash that somebody wants to read. */
const LEAST_BYTES = 1000;
const LEAST_WIDTH = 32;
/** Different characters that the first bytes of data in base64 and in hexadecimal hold at least. */
const LEAST_VARIETY = { base64: 40, hexadecimal: 14 };
const OPENING_BYTES = 2048;
/** Code with fewer bytes a line is readable. */
const MINIFIED_WIDTH = 2000;
const SHORT_LINE = 200;
const MOST_SHORT = 6;
const NEWLINE = 10;
const RETURN = 13;
const DASH = 45;

const LABEL = /^-----(?:BEGIN|END) [A-Z0-9 ]+-----$/;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
const CSS = /[\w\])*]\{[\w-]+:[^{}]*\}/g;
const SCRIPT = /\bfunction\b|=>|\b(?:var|let|const|return|typeof)\b/g;

/**
 * Recognizes data in base64 or hexadecimal and minified code, of which the text itself tells nothing. Reads line by line
 * and holds only the beginning of each line.
 */
export class OpaqueText {
  /** The beginning of the open line, and the line's length. */
  readonly #line = new Uint8Array(OPENING_BYTES);
  #length = 0;
  #lines = 0;
  #bytes = 0;
  #opening = "";
  /** Length of every full line of encoded data. */
  #width = 0;
  #encoded = true;
  #hexadecimal = true;
  /** A line shorter than the others has come: only a label may follow. */
  #ended = false;
  readonly #labels: string[] = [];
  /** Short lines, which are shown; undefined once there were too many. */
  #short: string[] | undefined = [];

  write(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (!this.#encoded && this.#short === undefined) return;
    for (let from = 0; from < chunk.length; ) {
      const newline = chunk.indexOf(NEWLINE, from);
      const end = newline < 0 ? chunk.length : newline;
      this.#take(chunk.subarray(from, end));
      if (newline >= 0) this.#endLine();
      from = end + 1;
    }
  }

  /** What to show in place of the output; undefined for text that can be read. `asked`: the text answers a question. */
  describe(room: Room, asked: boolean): Selection | undefined {
    if (this.#length > 0) this.#endLine();
    const heading = this.#encoded ? this.#describeEncoded() : asked ? undefined : this.#describeMinified();
    if (heading === undefined) return undefined;
    const details = this.#encoded ? this.#labels : (this.#short ?? []);
    const texts = [[`${HEADING}${heading}]`, ...details].join("\n"), `${HEADING}${heading}]`];
    const text = texts.find((each) => fitsRoom(each, room));
    return text === undefined ? undefined : makeSelection(text, []);
  }

  #take(part: Uint8Array): void {
    if (part.length === 0) return;
    const kept = part.subarray(0, Math.max(0, OPENING_BYTES - this.#length));
    if (kept.length > 0) this.#line.set(kept, this.#length);
    this.#length += part.length;
    // A label is looked at when it is complete.
    if (this.#encoded && this.#line[0] !== DASH) this.#checkEncoded(part);
  }

  #checkEncoded(part: Uint8Array): void {
    for (let at = 0; at < part.length; at++) {
      const byte = part[at] as number;
      const kind = ENCODED[byte] as number;
      if (kind === 0 && !(byte === RETURN && at === part.length - 1)) {
        this.#encoded = false;
        return;
      }
      if (kind === 1) this.#hexadecimal = false;
    }
  }

  #endLine(): void {
    const length = this.#length;
    const line = decode(this.#line.subarray(0, Math.min(length, OPENING_BYTES))).replace(/\r$/, "");
    if (this.#opening.length < OPENING_BYTES && !LABEL.test(line)) this.#opening += line;
    if (this.#encoded && line !== "") this.#checkLine(line, length);
    if (line.trim() !== "" && length < SHORT_LINE) {
      this.#short?.push(cleanLine(line));
      if ((this.#short?.length ?? 0) > MOST_SHORT) this.#short = undefined;
    }
    this.#lines++;
    this.#length = 0;
  }

  #checkLine(line: string, length: number): void {
    if (LABEL.test(line)) {
      this.#labels.push(line);
      this.#ended = line.includes("END");
    } else if (this.#ended || line.startsWith("-")) this.#encoded = false;
    else if (this.#width === 0) this.#width = length;
    else if (length > this.#width) this.#encoded = false;
    else if (length < this.#width) this.#ended = true;
  }

  #describeEncoded(): string | undefined {
    const data = this.#opening;
    const kind = this.#hexadecimal ? "hexadecimal" : "base64";
    const variety = new Set(data).size;
    if (this.#bytes < LEAST_BYTES || this.#width < LEAST_WIDTH || variety < LEAST_VARIETY[kind]) return undefined;
    if (kind === "base64" && !BASE64.test(data)) return undefined;
    const content = fileType(decodeStart(data, kind));
    const size = `${formatPlural(this.#bytes, "byte")} in ${formatPlural(this.#lines, "line")}`;
    return `${kind} data: ${content === undefined ? "" : `${content}, `}${size}`;
  }

  #describeMinified(): string | undefined {
    if (this.#short === undefined || this.#bytes < MINIFIED_WIDTH * Math.max(2, this.#lines - this.#short.length)) {
      return undefined;
    }
    const rules = this.#opening.match(CSS)?.length ?? 0;
    const words = this.#opening.match(SCRIPT)?.length ?? 0;
    if (rules + words < 10 || /^\s*[[{<]/.test(this.#opening)) return undefined;
    const kind = rules > words ? "CSS" : "JavaScript";
    return `minified ${kind}: ${formatPlural(this.#bytes, "byte")} in ${formatPlural(this.#lines, "line")}`;
  }
}

/** The first bytes that the data stands for. */
function decodeStart(data: string, kind: "base64" | "hexadecimal"): Uint8Array {
  if (kind === "hexadecimal") {
    return Uint8Array.from(data.slice(0, 1024).match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
  }
  const plain = data.slice(0, 1024).replaceAll("-", "+").replaceAll("_", "/").replaceAll("=", "");
  return Uint8Array.from(atob(plain.slice(0, plain.length & ~3)), (char) => char.charCodeAt(0));
}

/** 1 for the characters of base64 (padding included), 2 for those that are hexadecimal digits too, 0 for others. */
const ENCODED = new Uint8Array(256);
for (const char of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_=") {
  ENCODED[char.charCodeAt(0)] = /[0-9a-fA-F]/.test(char) ? 2 : 1;
}
