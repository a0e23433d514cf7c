import { randomUUID } from "node:crypto";
import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { JsonScanner } from "../../../bytes/json/json-scanner.ts";
import { parseJson } from "../../../bytes/json/parse-json.ts";
import { MEMORY_BYTES } from "../message/text-source.ts";
import type { EarlyText } from "./early-text.ts";
import { type MessageHeader, readHeader } from "./message-header.ts";
import type { UntakenArrival } from "./spool.ts";
import { type EarlyPart, SpooledMessage } from "./spooled-message.ts";

/** Strings beyond this stay on disk. */
const LONG_STRING_BYTES = 256 * 1024;
/** A message whose structure alone is larger, or nested deeper, is treated as text. */
const MAX_SKELETON_BYTES = 8 * 1024 * 1024;
const MAX_DEPTH = 10_000;

/** Begins with a text while it arrives, for the message of this id when it is known; undefined leaves it for later. */
export type BeginEarly = (head: Uint8Array, id: unknown) => EarlyText | undefined;

/** How a large message arrived. */
export type SpoolOutcome =
  | { readonly kind: "message"; readonly header: MessageHeader; readonly spooled: SpooledMessage }
  | UntakenArrival;

/**
 * Takes a large message piece by piece through the scanner: very long texts that are begun early to the gate, everything
 * else to disk. Above `maxBytes` only the id is looked for.
 */
export class SpoolFile {
  readonly #path: string;
  readonly #maxBytes: number;
  readonly #tokenPrefix: string;
  readonly #scanner: JsonScanner;
  #descriptor: number | undefined;
  #bytes = 0;
  #bytesOnDisk = 0;
  #problem: string | undefined;
  readonly #beginEarly: BeginEarly | undefined;
  readonly #early: EarlyPart[] = [];
  /** The early text that is being read. */
  #open: Omit<EarlyPart, "gapEnd"> | undefined;
  /** How many long strings were looked at, whether they could be begun early or not. */
  #seen = 0;

  constructor(folder: string, maxBytes: number, beginEarly?: BeginEarly) {
    this.#beginEarly = beginEarly;
    const name = randomUUID();
    this.#path = join(folder, `${name}.json`);
    this.#maxBytes = maxBytes;
    this.#tokenPrefix = `spillway-long-string:${name}:`;
    this.#scanner = new JsonScanner({
      longStringBytes: LONG_STRING_BYTES,
      maxSkeletonBytes: MAX_SKELETON_BYTES,
      maxDepth: MAX_DEPTH,
      token: (index) => this.#tokenPrefix + index,
    });
    try {
      this.#descriptor = openSync(this.#path, "wx+", 0o600);
    } catch (error) {
      this.#problem = `it cannot be spooled (${(error as Error).message})`;
    }
  }

  /** Takes the next bytes, which are its own from then on; await the promise, when there is one, before the next. */
  write(chunk: Buffer): Promise<void> | undefined {
    const chunkStart = this.#bytes;
    const open = this.#open;
    const taken = this.#problem === undefined ? open?.text.write(chunk) : undefined;
    if (taken) this.#scanner.skip(taken.count, taken.insideEscape);
    this.#scanner.write(taken ? chunk.subarray(taken.count) : chunk);
    this.#bytes += chunk.length;
    if (this.#problem !== undefined) return undefined;
    if (this.#bytes > this.#maxBytes) {
      this.#problem = `it is larger than the limit of ${this.#maxBytes} bytes`;
      return undefined;
    }
    if (!open) {
      this.#writeToDisk(chunk);
      return this.#begin();
    }
    const ended = this.#scanner.strings[open.index]?.endByte;
    if (ended !== undefined) {
      this.#writeToDisk(chunk.subarray(ended - chunkStart));
      open.text.end();
      this.#early.push({ ...open, gapEnd: ended });
      this.#open = undefined;
    }
    return taken?.settled;
  }

  async finish(): Promise<SpoolOutcome> {
    this.#close();
    const scan = this.#scanner.finish();
    const header = readHeader(scan);
    if (this.#problem === undefined && header) {
      const spooled = new SpooledMessage(this.#path, scan, this.#tokenPrefix, this.#early);
      return { kind: "message", header, spooled };
    }
    await this.discard();
    if (this.#problem === undefined) return { kind: "garbage", bytes: this.#bytes };
    return { kind: "refused", header, bytes: this.#bytes, reason: this.#problem };
  }

  async discard(): Promise<void> {
    this.#close();
    for (const { text } of this.#early) await text.discard();
    await this.#open?.text.discard();
    await rm(this.#path, { force: true });
  }

  /** Begins with the text that is being read, once it is certain to stay out of memory. */
  #begin(): Promise<void> | undefined {
    const startByte = this.#scanner.longStringStart;
    const index = this.#scanner.strings.length;
    if (!this.#beginEarly || startByte === undefined || this.#bytes - startByte <= MEMORY_BYTES || index < this.#seen)
      return undefined;
    this.#seen = index + 1;
    const prefix = this.#scanner.openPrefix;
    if (this.#problem !== undefined || prefix === undefined || !isContentText(findOpenPath(prefix))) return undefined;
    const head = this.#readBack(this.#bytes - startByte);
    const text = this.#beginEarly(head, parseJson(this.#scanner.id));
    if (!text) return undefined;
    this.#open = { text, index, gapStart: this.#bytes };
    return text.write(head)?.settled;
  }

  /** The bytes that were written last. */
  #readBack(count: number): Buffer {
    const bytes = Buffer.allocUnsafe(count);
    const start = this.#bytesOnDisk - count;
    for (let at = 0; at < bytes.length; ) {
      const read = readSync(this.#descriptor!, bytes, at, bytes.length - at, start + at);
      if (read === 0) throw new Error("The spool file is shorter than what was written to it");
      at += read;
    }
    return bytes;
  }

  #writeToDisk(bytes: Buffer): void {
    try {
      for (let at = 0; at < bytes.length; )
        at += writeSync(this.#descriptor!, bytes, at, bytes.length - at, this.#bytesOnDisk + at);
      this.#bytesOnDisk += bytes.length;
    } catch (error) {
      this.#problem = `it cannot be spooled (${(error as Error).message})`;
    }
  }

  #close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}

/** A string, or a character of JSON's structure. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/gs;

/** The keys and indexes that lead to where an unfinished JSON text ends. */
export function findOpenPath(prefix: string): readonly (string | number)[] {
  const path: (string | number)[] = [];
  let string = '""';
  for (const [token] of prefix.matchAll(TOKENS)) {
    const last = path.length - 1;
    const inside = path[last];
    if (token === "{") path.push("");
    else if (token === "[") path.push(0);
    else if (token === "}" || token === "]") path.pop();
    else if (token === ":") path[last] = JSON.parse(string) as string;
    else if (token === ",") path[last] = typeof inside === "number" ? inside + 1 : "";
    else string = token;
  }
  return path;
}

/** Whether a path leads to a text of a tool result's content. */
export function isContentText(path: readonly (string | number)[]): boolean {
  const [result, content, index, ...field] = path;
  const inContent = result === "result" && content === "content" && typeof index === "number";
  return inContent && (field.join() === "text" || field.join() === "resource,text");
}
