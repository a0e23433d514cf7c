import type { ByteSource } from "../byte-source.ts";
import type { Bucket } from "./bucket.ts";

/** A read of this many bytes is one of many in a row: these share a request. */
const STREAM_FROM_BYTES = 512 * 1024;
/** What was streamed last is kept for those who look again at what they just found. */
const RECENT_BYTES = 4 * 1024 * 1024;
/** Bytes that a small read brings along on either side. */
const AROUND_BYTES = 16 * 1024;
const MAX_BLOCKS = 64;

interface Block {
  readonly startByte: number;
  readonly bytes: Uint8Array;
}

/** An object's bytes by ranges. Reads that follow one another come from one stream, others bring their surroundings along. */
export class S3Source implements ByteSource {
  readonly size: number;
  readonly #bucket: Bucket;
  readonly #key: string;
  readonly #readAheadBytes: number;
  readonly #abort = new AbortController();
  #blocks: Block[] = [];
  #recent: Block[] = [];
  #stream: AsyncIterator<Uint8Array> | undefined;
  #streamAt = 0;
  #rest: Uint8Array = new Uint8Array(0);

  /** `readAheadBytes` come along after each read, for those who will want what follows. */
  constructor(bucket: Bucket, key: string, size: number, readAheadBytes: number = AROUND_BYTES) {
    this.#bucket = bucket;
    this.#key = key;
    this.size = size;
    this.#readAheadBytes = readAheadBytes;
  }

  async read(startByte: number, endByte: number): Promise<Uint8Array> {
    const end = Math.min(endByte, this.size);
    if (end <= startByte) return new Uint8Array(0);
    const known = this.#known(startByte, end);
    if (known !== undefined) return known;
    return end - startByte >= STREAM_FROM_BYTES ? this.#readOn(startByte, end) : this.#readBlock(startByte, end);
  }

  async close(): Promise<void> {
    this.#abort.abort();
    await this.#stream?.return?.(undefined);
  }

  #known(startByte: number, endByte: number): Uint8Array | undefined {
    const covers = (block: Block) => block.startByte <= startByte && block.startByte + block.bytes.length >= endByte;
    const block = this.#recent.find(covers) ?? this.#blocks.find(covers);
    if (block !== undefined) return block.bytes.subarray(startByte - block.startByte, endByte - block.startByte);
    const from = this.#recent.findIndex(({ startByte: at, bytes }) => startByte >= at && startByte < at + bytes.length);
    const first = this.#recent[from];
    const next = this.#recent[from + 1];
    if (first === undefined || next === undefined || next.startByte + next.bytes.length < endByte) return undefined;
    return Buffer.concat([first.bytes, next.bytes]).subarray(startByte - first.startByte, endByte - first.startByte);
  }

  async #readBlock(startByte: number, endByte: number): Promise<Uint8Array> {
    const from = Math.max(0, startByte - Math.min(AROUND_BYTES, this.#readAheadBytes));
    const bytes = await this.#bucket.getRange(this.#key, from, Math.min(this.size, endByte + this.#readAheadBytes));
    this.#blocks = [{ startByte: from, bytes }, ...this.#blocks].slice(0, MAX_BLOCKS);
    return bytes.subarray(startByte - from, endByte - from);
  }

  async #readOn(startByte: number, endByte: number): Promise<Uint8Array> {
    if (this.#stream === undefined || this.#streamAt !== startByte) {
      await this.#stream?.return?.(undefined);
      const chunks = this.#bucket.requests.stream(this.#key, startByte, this.size, this.#abort.signal);
      this.#stream = chunks[Symbol.asyncIterator]();
      this.#streamAt = startByte;
      this.#rest = new Uint8Array(0);
    }
    const bytes = Buffer.allocUnsafeSlow(endByte - startByte);
    let filled = 0;
    while (filled < bytes.length) {
      if (this.#rest.length === 0) {
        const { done, value } = await this.#stream.next();
        if (done === true) break;
        this.#rest = value;
      }
      const part = this.#rest.subarray(0, bytes.length - filled);
      bytes.set(part, filled);
      filled += part.length;
      this.#rest = this.#rest.subarray(part.length);
    }
    this.#streamAt += filled;
    const read = bytes.subarray(0, filled);
    this.#recent.push({ startByte, bytes: read });
    let kept = this.#recent.reduce((sum, block) => sum + block.bytes.length, 0);
    while (kept > RECENT_BYTES && this.#recent.length > 1) kept -= (this.#recent.shift() as Block).bytes.length;
    return read;
  }
}
