import { randomUUID } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { JsonScanner } from "./json-scanner.ts";
import { type MessageHeader, readHeader, SpooledMessage } from "./spooled-message.ts";

/** Strings beyond this stay on disk. */
const LONG_STRING_BYTES = 256 * 1024;
/** A message whose structure alone is larger is treated as text. */
const MAX_SKELETON_BYTES = 8 * 1024 * 1024;

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

  constructor(folder: string, maxBytes: number) {
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
  }

  async finish(): Promise<SpoolOutcome> {
    this.#close();
    const scan = this.#scanner.finish();
    const header = readHeader(scan);
    if (this.#problem === undefined && header)
      return { kind: "message", header, spooled: new SpooledMessage(this.#path, scan, this.#tokenPrefix) };
    await this.discard();
    if (this.#problem === undefined) return { kind: "garbage", bytes: this.#bytes };
    return { kind: "refused", header, bytes: this.#bytes, reason: this.#problem };
  }

  async discard(): Promise<void> {
    this.#close();
    await rm(this.#path, { force: true });
  }

  #close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}
