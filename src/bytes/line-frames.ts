const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Where the bytes of one large line go. */
export interface LargeLine {
  /** Takes the next bytes; await the promise, when there is one, before the next. */
  write(chunk: Uint8Array): Promise<void> | undefined;
  /** The line is complete. */
  end(): void;
  /** The stream ended inside the line. */
  abort(): void;
}

export interface LineFramesOptions {
  /** A line that grows beyond this goes to `openLarge` instead of memory. */
  readonly largeBytes: number;
  readonly onLine: (line: Buffer) => void;
  readonly openLarge: () => LargeLine;
}

/** Splits a byte stream into lines without ever holding a large one. */
export class LineFrames {
  readonly #options: LineFramesOptions;
  #parts: Buffer[] = [];
  #held = 0;
  #large: LargeLine | undefined;

  constructor(options: LineFramesOptions) {
    this.#options = options;
  }

  /** Takes the next bytes. A promise means: give no more before it is settled. */
  push(chunk: Buffer): Promise<void> | undefined {
    let start = 0;
    let wait: Promise<void> | undefined;
    while (start < chunk.length) {
      const newline = chunk.indexOf(NEWLINE, start);
      const end = newline < 0 ? chunk.length : newline;
      wait = this.#take(start === 0 && end === chunk.length ? chunk : chunk.subarray(start, end)) ?? wait;
      if (newline >= 0) this.#endLine();
      start = end + 1;
    }
    return wait;
  }

  /** Ends the stream; what stands after the last newline is no message. Returns it when it was held in memory. */
  finish(): Buffer | undefined {
    this.#large?.abort();
    this.#large = undefined;
    const rest = this.#held > 0 ? Buffer.concat(this.#parts) : undefined;
    this.#parts = [];
    this.#held = 0;
    return rest;
  }

  #take(part: Buffer): Promise<void> | undefined {
    if (part.length === 0) return undefined;
    if (this.#large) return this.#large.write(part);
    this.#parts.push(part);
    this.#held += part.length;
    if (this.#held <= this.#options.largeBytes) return undefined;
    this.#large = this.#options.openLarge();
    const parts = this.#parts;
    this.#parts = [];
    this.#held = 0;
    let wait: Promise<void> | undefined;
    for (const held of parts) wait = this.#large.write(held) ?? wait;
    return wait;
  }

  #endLine(): void {
    if (this.#large) {
      const large = this.#large;
      this.#large = undefined;
      large.end();
      return;
    }
    if (this.#held === 0) return;
    let line = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#held = 0;
    if (line.at(-1) === CARRIAGE_RETURN) line = line.subarray(0, -1);
    if (line.length > 0) this.#options.onLine(line);
  }
}
