import { invalidArgument, type SpillwayError } from "../../errors.ts";

/** A value inside an outer list of a document, or a plain value outside of lists. */
export interface StreamedValue {
  /** Keys that lead to the list or value, joined by `_`; empty at the top. */
  readonly path: string;
  /** True for an element of a list. */
  readonly inList: boolean;
  readonly value: unknown;
}

const MOST_VALUE_BYTES = 64 * 1024 * 1024;
const MOST_DEPTH = 200;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Reads a JSON document of any size in chunks: descends into objects, and passes on each element of the outermost lists
 * and each value that is not in a list. Memory is bounded by the largest element. A document that breaks off ends with
 * its last whole element.
 */
export class JsonStream {
  readonly #emit: (found: StreamedValue) => void;
  /** Keys of the open objects. */
  readonly #path: string[] = [];
  #key: string | undefined;
  #inList = false;
  /** Bytes of the value that is being collected. */
  #parts: Uint8Array[] = [];
  #partBytes = 0;
  /** Open brackets inside the value; -1 outside of a value. */
  #depth = -1;
  #inString = false;
  #escaped = false;
  #ended = false;

  constructor(emit: (found: StreamedValue) => void) {
    this.#emit = emit;
  }

  write(chunk: Uint8Array): void {
    let start = this.#depth >= 0 ? 0 : -1;
    let at = 0;
    while (at < chunk.length && !this.#ended) {
      const byte = chunk[at] as number;
      if (this.#inString) {
        at = this.#skipString(chunk, at);
        continue;
      }
      if (this.#depth >= 0) {
        const isOpen = byte === OPEN_LIST || byte === OPEN_OBJECT;
        const isClose = byte === CLOSE_LIST || byte === CLOSE_OBJECT;
        if (byte === QUOTE) this.#inString = true;
        else if (isOpen && ++this.#depth > MOST_DEPTH) throw tooDeep();
        else if (this.#depth === 0 && (byte === COMMA || byte === COLON || isClose)) {
          this.#hold(chunk.slice(start, at));
          start = -1;
          this.#endValue(byte === COLON);
          continue;
        } else if (isClose) this.#depth--;
        at++;
        continue;
      }
      if (byte === OPEN_OBJECT && !this.#inList) this.#enterObject();
      else if (byte === OPEN_LIST && !this.#inList) this.#inList = true;
      else if (byte === CLOSE_LIST && this.#inList) this.#inList = false;
      else if (byte === CLOSE_OBJECT) this.#leaveObject();
      else if (byte > 0x20 && byte !== COMMA && byte !== COLON) {
        start = at;
        this.#depth = 0;
        continue;
      }
      at++;
    }
    if (start >= 0) this.#hold(chunk.slice(start));
  }

  #skipString(chunk: Uint8Array, from: number): number {
    let at = from;
    for (; at < chunk.length; at++) {
      const byte = chunk[at];
      if (this.#escaped) this.#escaped = false;
      else if (byte === BACKSLASH) this.#escaped = true;
      else if (byte === QUOTE) {
        this.#inString = false;
        return at + 1;
      }
    }
    return at;
  }

  #hold(part: Uint8Array): void {
    this.#partBytes += part.length;
    if (this.#partBytes > MOST_VALUE_BYTES)
      throw invalidArgument("A single value of the JSON document is larger than 64 MB.");
    this.#parts.push(part);
  }

  #endValue(isKey: boolean): void {
    const text = Buffer.concat(this.#parts).toString("utf8").trim();
    this.#parts = [];
    this.#partBytes = 0;
    this.#depth = -1;
    const value = parse(text);
    if (value === undefined) return;
    if (isKey && typeof value === "string") this.#key = value;
    else this.#emit({ path: joinPath([...this.#path, this.#key ?? ""]), inList: this.#inList, value });
  }

  #enterObject(): void {
    if (this.#path.length >= MOST_DEPTH) throw tooDeep();
    this.#path.push(this.#key ?? "");
    this.#key = undefined;
  }

  #leaveObject(): void {
    this.#key = undefined;
    this.#path.pop();
    if (this.#path.length === 0) this.#ended = true;
  }
}

/** The name of a table or column for keys from the outside in. */
export function joinPath(keys: readonly string[]): string {
  return keys.filter((key) => key !== "").join("_");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function tooDeep(): SpillwayError {
  return invalidArgument(`The JSON document is nested more than ${MOST_DEPTH} levels deep.`);
}
