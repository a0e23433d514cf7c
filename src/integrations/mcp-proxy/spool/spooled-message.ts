import { closeSync, openSync, readSync } from "node:fs";
import { rm } from "node:fs/promises";
import type { JsonScan, StringRange } from "../../../bytes/json/json-scanner.ts";
import { parseJson } from "../../../bytes/json/parse-json.ts";
import { escapeJson, unescapeJson } from "../../../bytes/json/unescape-json.ts";
import type { RequestId, RpcMessage } from "../../mcp-shared/json-rpc.ts";
import { isRpcMessage } from "../../mcp-shared/json-rpc.ts";
import type { ResultOnDisk, SpooledString } from "../message/result-on-disk.ts";
import type { EarlyText } from "./early-text.ts";
import { readHeader } from "./message-header.ts";

/** Small enough for the pieces to die young in the collector. */
const READ_BYTES = 128 * 1024;

/** A text of a message that went through the gate while it arrived. */
export interface EarlyPart {
  readonly text: EarlyText;
  /** Which of the message's long strings it is. */
  readonly index: number;
  /** The bytes of the message that were not written to disk. */
  readonly gapStart: number;
  readonly gapEnd: number;
}

/** A large message on disk, with its structure in memory. */
export class SpooledMessage implements ResultOnDisk {
  readonly path: string;
  readonly scan: JsonScan;
  readonly #tokenPrefix: string;
  /** In the order of the message. */
  readonly #early: readonly EarlyPart[];

  constructor(path: string, scan: JsonScan, tokenPrefix: string, early: readonly EarlyPart[] = []) {
    this.#early = early;
    this.path = path;
    this.scan = scan;
    this.#tokenPrefix = tokenPrefix;
  }

  get bytes(): number {
    return this.scan.bytes;
  }

  get id(): RequestId | undefined {
    return readHeader(this.scan)?.id;
  }

  /** True when the file holds every byte of the message. */
  get whole(): boolean {
    return this.#onDisk(this.bytes) === this.bytes;
  }

  parseSkeleton(): RpcMessage | undefined {
    const value = parseJson(this.scan.skeleton?.toString("utf8"));
    return isRpcMessage(value) ? value : undefined;
  }

  resolve(text: string): SpooledString | undefined {
    if (!text.startsWith(this.#tokenPrefix)) return undefined;
    const index = Number(text.slice(this.#tokenPrefix.length));
    const range = this.scan.strings[index];
    if (!range) return undefined;
    const escapedBytes = range.endByte - range.startByte;
    const early = this.#early.find((part) => part.index === index)?.text;
    if (early) return { escapedBytes, read: () => early.read(), early };
    const startByte = this.#onDisk(range.startByte);
    const { path } = this;
    return {
      escapedBytes,
      read: () => unescapeJson(readRange(path, { startByte, endByte: startByte + escapedBytes })),
    };
  }

  /** The message's JSON: its bytes as they came, but for an early text, which may be escaped differently. */
  async *read(): AsyncGenerator<Uint8Array> {
    let at = 0;
    for (const { text, index, gapEnd } of this.whole ? [] : this.#early) {
      yield* this.#readDisk(at, this.scan.strings[index]!.startByte);
      yield* escapeJson(text.read());
      at = gapEnd;
    }
    yield* this.#readDisk(at, this.bytes);
  }

  async discard(): Promise<void> {
    for (const { text } of this.#early) await text.discard();
    await rm(this.path, { force: true });
  }

  #readDisk(from: number, to: number): AsyncIterable<Uint8Array> {
    return readCopies(this.path, { startByte: this.#onDisk(from), endByte: this.#onDisk(to) });
  }

  /** Where a byte of the message, outside of the gaps, is in the file. */
  #onDisk(byte: number): number {
    return this.#early.reduce((at, { gapStart, gapEnd }) => (gapEnd <= byte ? at - (gapEnd - gapStart) : at), byte);
  }
}

/** Bytes of a file, in pieces that stay. */
async function* readCopies(path: string, range: StringRange): AsyncGenerator<Uint8Array> {
  for await (const piece of readRange(path, range)) yield Uint8Array.from(piece);
}

/** Bytes of a file; every piece is valid only until the next is asked for. */
async function* readRange(path: string, range: StringRange): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(READ_BYTES);
  const descriptor = openSync(path, "r");
  try {
    for (let at = range.startByte; at < range.endByte; ) {
      const read = readSync(descriptor, buffer, 0, Math.min(buffer.length, range.endByte - at), at);
      if (read === 0) return;
      at += read;
      yield buffer.subarray(0, read);
    }
  } finally {
    closeSync(descriptor);
  }
}
