import { quickStringBytes } from "./compiled-string-bytes.ts";
import { plainStringBytes, QUOTE } from "./string-bytes.ts";

const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;
const COMMA = 0x2c;
const SPACE = 0x20;

/** Longest raw value of a top-level `id` or `method` that is remembered. */
const MAX_SCALAR_BYTES = 4096;

/** The inside of one long JSON string, as a byte range of the message, quotes not included. */
export interface StringRange {
  readonly startByte: number;
  readonly endByte: number;
}

export interface JsonScan {
  readonly bytes: number;
  /** The message with every long string replaced by the token of its index in `strings`; undefined when over its limits. */
  readonly skeleton: Buffer | undefined;
  readonly strings: readonly StringRange[];
  /** Raw JSON of the top-level `id` and `method`, when they are there. */
  readonly id: string | undefined;
  readonly method: string | undefined;
  /** True when the bytes are one balanced object. */
  readonly balanced: boolean;
}

export interface JsonScannerOptions {
  /** Strings longer than this are left out of the skeleton. */
  readonly longStringBytes: number;
  /** A skeleton that grows beyond this is given up. */
  readonly maxSkeletonBytes: number;
  /** So is one that is nested deeper. @default any depth */
  readonly maxDepth?: number;
  /** Makes the text that stands for long string number `index`. */
  readonly token: (index: number) => string;
}

/** Reads one JSON message chunk by chunk and keeps its structure, not its long strings. */
export class JsonScanner {
  readonly #options: JsonScannerOptions;
  #position = 0;
  #depth = 0;
  #started = false;
  #ended = false;
  #broken = false;
  #inString = false;
  #escaped = false;
  #stringStart = 0;
  #long = false;
  #parts: Buffer[] = [];
  #partsBytes = 0;
  /** Parts and bytes as they were before the string that is being read. */
  #mark = { parts: 0, bytes: 0 };
  #skeletonLost = false;
  readonly #strings: StringRange[] = [];
  #expectKey = false;
  #key = "";
  #scalar: number[] | undefined;
  #id: string | undefined;
  #method: string | undefined;

  constructor(options: JsonScannerOptions) {
    this.#options = options;
  }

  write(chunk: Buffer): void {
    const length = chunk.length;
    const base = this.#position;
    let copyFrom = 0;
    let at = 0;
    while (at < length) {
      if (this.#inString) {
        const stop = this.#skipString(chunk, at);
        if (!this.#long && base + stop - this.#stringStart > this.#options.longStringBytes) {
          this.#long = true;
          this.#rewind();
        }
        if (this.#long) copyFrom = stop;
        at = stop;
        if (at >= length) break;
        this.#inString = false;
        if (this.#long) this.#replaceString(base + at);
        else this.#scalar?.push(QUOTE);
        at += 1;
        continue;
      }
      const byte = chunk[at]!;
      if (byte === QUOTE) {
        if (this.#depth === 0) this.#broken = true;
        if (at > copyFrom) this.#keep(chunk.subarray(copyFrom, at));
        copyFrom = at;
        this.#mark = { parts: this.#parts.length, bytes: this.#partsBytes };
        this.#inString = true;
        this.#escaped = false;
        this.#long = false;
        this.#stringStart = base + at + 1;
        if (this.#depth === 1) this.#scalarOpen(byte);
      } else if (byte > SPACE) this.#structure(byte);
      at += 1;
    }
    if (copyFrom < length && !(this.#inString && this.#long)) this.#keep(chunk.subarray(copyFrom));
    this.#position += length;
  }

  /** Goes past bytes that are known to be inside the string that is being read; `escaped` when the last begins an escape. */
  skip(bytes: number, escaped: boolean): void {
    this.#position += bytes;
    this.#escaped = escaped;
  }

  /** Where the long string that is being read starts. */
  get longStringStart(): number | undefined {
    return this.#inString && this.#long ? this.#stringStart : undefined;
  }

  /** What stands before the long string that is being read, as in the skeleton; undefined when that is too large. */
  get openPrefix(): string | undefined {
    return this.#skeletonLost ? undefined : Buffer.concat(this.#parts).toString("utf8");
  }

  /** The long strings that are complete. */
  get strings(): readonly StringRange[] {
    return this.#strings;
  }

  /** Raw JSON of the top-level `id`, when it was read already. */
  get id(): string | undefined {
    return this.#id;
  }

  finish(): JsonScan {
    const balanced = this.#started && this.#ended && !this.#broken && !this.#inString;
    return {
      bytes: this.#position,
      skeleton: balanced && !this.#skeletonLost ? Buffer.concat(this.#parts) : undefined,
      strings: this.#strings,
      id: this.#id,
      method: this.#method,
      balanced,
    };
  }

  /** The index of the closing quote, or the chunk's length when it is not in it. */
  #skipString(chunk: Buffer, from: number): number {
    const start = this.#escaped ? from + 1 : from;
    const strings = this.#long ? quickStringBytes() : plainStringBytes;
    const end = strings.findEnd(chunk, start);
    this.#escaped = end > chunk.length;
    const stop = Math.min(end, chunk.length);
    this.#remember(chunk, from, stop);
    return stop;
  }

  #remember(chunk: Buffer, start: number, end: number): void {
    const scalar = this.#scalar;
    for (let at = start; scalar && at < end && scalar.length < MAX_SCALAR_BYTES; at += 1) scalar.push(chunk[at]!);
  }

  #structure(byte: number): void {
    if (this.#ended || (this.#depth === 0 && byte !== OPEN_BRACE)) {
      this.#broken = true;
      return;
    }
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      this.#depth += 1;
      this.#started = true;
      if (this.#depth > (this.#options.maxDepth ?? Infinity)) this.#giveUpSkeleton();
      this.#scalar = undefined;
      if (this.#depth === 1) this.#expectKey = true;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (this.#depth === 1) this.#scalarClose();
      this.#depth -= 1;
      if (this.#depth === 0) this.#ended = true;
    } else if (this.#depth === 1) {
      if (byte === COLON) {
        this.#key = this.#takeScalar();
        this.#expectKey = false;
      } else if (byte === COMMA) {
        this.#scalarClose();
        this.#expectKey = true;
      } else this.#scalarOpen(byte);
    }
  }

  #scalarOpen(byte: number): void {
    if (this.#scalar) {
      if (this.#scalar.length < MAX_SCALAR_BYTES) this.#scalar.push(byte);
      return;
    }
    if (!this.#expectKey && this.#key !== '"id"' && this.#key !== '"method"') return;
    this.#scalar = [byte];
  }

  #scalarClose(): void {
    const value = this.#takeScalar();
    if (value === "") return;
    if (this.#key === '"id"') this.#id = value;
    else if (this.#key === '"method"') this.#method = value;
    this.#key = "";
  }

  #takeScalar(): string {
    const value = this.#scalar === undefined ? "" : Buffer.from(this.#scalar).toString("utf8");
    this.#scalar = undefined;
    return value;
  }

  #replaceString(end: number): void {
    this.#scalar = undefined;
    this.#keep(Buffer.from(`"${this.#options.token(this.#strings.length)}`));
    this.#strings.push({ startByte: this.#stringStart, endByte: end });
  }

  #rewind(): void {
    if (this.#skeletonLost) return;
    this.#parts.length = this.#mark.parts;
    this.#partsBytes = this.#mark.bytes;
  }

  #keep(part: Buffer): void {
    if (this.#skeletonLost || part.length === 0) return;
    this.#parts.push(part);
    this.#partsBytes += part.length;
    if (this.#partsBytes > this.#options.maxSkeletonBytes) this.#giveUpSkeleton();
  }

  #giveUpSkeleton(): void {
    this.#skeletonLost = true;
    this.#parts = [];
  }
}
