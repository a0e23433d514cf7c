import { randomUUID } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type EarlyText, MIN_EARLY_BYTES } from "./early-text.ts";
import { JsonScanner } from "./json-scanner.ts";
import { type MessageHeader, parseScalar, readHeader, SpooledMessage } from "./spooled-message.ts";

/** Strings beyond this stay on disk. */
const LONG_STRING_BYTES = 256 * 1024;
/** A message whose structure alone is larger is treated as text. */
const MAX_SKELETON_BYTES = 8 * 1024 * 1024;

/** Begins with a string while it arrives, for the message of this id when it is known; undefined leaves it for later. */
export type BeginEarly = (path: string, startByte: number, id: unknown) => EarlyText | undefined;

/** How a large message arrived. */
export type SpoolOutcome =
  | { readonly kind: "message"; readonly header: MessageHeader; readonly spooled: SpooledMessage }
  | {
      readonly kind: "refused";
      readonly header: MessageHeader | undefined;
      readonly bytes: number;
      readonly reason: string;
    }
  | { readonly kind: "garbage"; readonly bytes: number };

/** Takes a large message piece by piece: to disk, and through the scanner. Above `maxBytes` only the id is looked for. */
export class SpoolFile {
  readonly #path: string;
  readonly #maxBytes: number;
  readonly #tokenPrefix: string;
  readonly #scanner: JsonScanner;
  #descriptor: number | undefined;
  #bytes = 0;
  #problem: string | undefined;
  #beginEarly: BeginEarly | undefined;
  #early: { readonly text: EarlyText; readonly index: number } | undefined;

  constructor(folder: string, maxBytes: number, beginEarly?: BeginEarly) {
    this.#beginEarly = beginEarly;
    const name = randomUUID();
    this.#path = join(folder, `${name}.json`);
    this.#maxBytes = maxBytes;
    this.#tokenPrefix = `spillway-long-string:${name}:`;
    this.#scanner = new JsonScanner({
      longStringBytes: LONG_STRING_BYTES,
      maxSkeletonBytes: MAX_SKELETON_BYTES,
      token: (index) => this.#tokenPrefix + index,
    });
    try {
      this.#descriptor = openSync(this.#path, "wx", 0o600);
    } catch (error) {
      this.#problem = `it cannot be spooled (${(error as Error).message})`;
    }
  }

  write(chunk: Buffer): void {
    this.#bytes += chunk.length;
    this.#scanner.write(chunk);
    if (this.#problem !== undefined || this.#descriptor === undefined) return;
    if (this.#bytes > this.#maxBytes) this.#problem = `it is larger than the limit of ${this.#maxBytes} bytes`;
    try {
      for (let at = 0; this.#problem === undefined && at < chunk.length; )
        at += writeSync(this.#descriptor, chunk, at, chunk.length - at);
    } catch (error) {
      this.#problem = `it cannot be spooled (${(error as Error).message})`;
    }
    if (this.#problem === undefined) this.#advanceEarly();
  }

  async finish(): Promise<SpoolOutcome> {
    this.#close();
    const scan = this.#scanner.finish();
    const header = readHeader(scan);
    if (this.#problem === undefined && header)
      return { kind: "message", header, spooled: new SpooledMessage(this.#path, scan, this.#tokenPrefix, this.#early) };
    await this.discard();
    if (this.#problem === undefined) return { kind: "garbage", bytes: this.#bytes };
    return { kind: "refused", header, bytes: this.#bytes, reason: this.#problem };
  }

  async discard(): Promise<void> {
    this.#close();
    await this.#early?.text.discard();
    await rm(this.#path, { force: true });
  }

  /** Only one string of a message is begun early: the first that is very long. */
  #advanceEarly(): void {
    const startByte = this.#scanner.longStringStart;
    if (this.#beginEarly && startByte !== undefined && this.#bytes - startByte >= MIN_EARLY_BYTES) {
      const text = this.#beginEarly(this.#path, startByte, parseScalar(this.#scanner.id));
      this.#beginEarly = undefined;
      if (text) this.#early = { text, index: this.#scanner.strings.length };
    }
    if (!this.#early) return;
    const complete = this.#scanner.strings[this.#early.index];
    this.#early.text.advance(complete?.endByte ?? this.#bytes, complete !== undefined);
  }

  #close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}
