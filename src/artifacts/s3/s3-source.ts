import { randomBytes } from "node:crypto";
import { lstat, mkdir, open, readdir, readFile, rename, unlink, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { userFolder } from "../../platform/folders.ts";
import { PLATFORM } from "../../platform/platform.ts";
import type { ByteSource } from "../byte-source.ts";
import type { Bucket } from "./bucket.ts";

/** The user's cache folder. */
export function cacheFolder(): string {
  const folder = path.join(userFolder("cache"), "spillway");
  // Windows has one folder for state and cache.
  return PLATFORM.name === "win32" && !process.env.XDG_CACHE_HOME ? path.join(folder, "cache") : folder;
}

/** An entry may take this share of the cache. */
const SHARE = 0.25;

/**
 * A bounded cache of files that a store can fetch again; the least recently used are dropped. Entries never change,
 * because artifacts do not. Cache failures never fail a read.
 */
export class ReadCache {
  readonly #dir: string;
  readonly #maxBytes: number;

  constructor(dir: string, maxBytes: number) {
    this.#dir = dir;
    this.#maxBytes = maxBytes;
  }

  /** True when something of this size is worth keeping. */
  takes(bytes: number): boolean {
    return bytes <= this.#maxBytes * SHARE;
  }

  /** The path of an entry with exactly this size; undefined if there is none. */
  async find(name: string, bytes: number): Promise<string | undefined> {
    const file = path.join(this.#dir, name);
    const stats = await lstat(file).catch(() => undefined);
    if (!stats?.isFile() || stats.size !== bytes) return undefined;
    const now = new Date();
    await utimes(file, now, now).catch(() => undefined);
    return file;
  }

  async read(name: string): Promise<Buffer | undefined> {
    return readFile(path.join(this.#dir, name)).catch(() => undefined);
  }

  async write(name: string, bytes: Uint8Array): Promise<void> {
    if (!this.takes(bytes.length)) return;
    const draft = this.#draft();
    try {
      await mkdir(this.#dir, { recursive: true, mode: 0o700 });
      await writeFile(draft, bytes, { mode: 0o600, flag: "wx" });
      await rename(draft, path.join(this.#dir, name));
      await this.#bound();
    } catch {
      await unlink(draft).catch(() => undefined);
    }
  }

  /** Passes bytes through and caches them once all have arrived. */
  async *tee(name: string, bytes: number, chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    const draft = this.#draft();
    await mkdir(this.#dir, { recursive: true, mode: 0o700 }).catch(() => undefined);
    let file = await open(draft, "wx", 0o600).catch(() => undefined);
    let written = 0;
    try {
      for await (const chunk of chunks) {
        await file?.write(chunk).catch(async () => {
          await file?.close().catch(() => undefined);
          file = undefined;
        });
        written += chunk.length;
        yield chunk;
      }
    } finally {
      await file?.close().catch(() => undefined);
      if (file !== undefined && written === bytes) {
        await rename(draft, path.join(this.#dir, name)).catch(() => undefined);
        await this.#bound();
      } else await unlink(draft).catch(() => undefined);
    }
  }

  async remove(name: string): Promise<void> {
    await unlink(path.join(this.#dir, name)).catch(() => undefined);
  }

  #draft(): string {
    return path.join(this.#dir, `draft-${randomBytes(8).toString("hex")}`);
  }

  async #bound(): Promise<void> {
    const names = await readdir(this.#dir).catch(() => []);
    const files = await Promise.all(
      names.map(async (name) => {
        const file = path.join(this.#dir, name);
        const stats = await lstat(file).catch(() => undefined);
        return { file, bytes: stats?.size ?? 0, used: stats?.mtimeMs ?? 0 };
      }),
    );
    let total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { file, bytes } of files.sort((left, right) => left.used - right.used)) {
      if (total <= this.#maxBytes) return;
      await unlink(file).catch(() => undefined);
      total -= bytes;
    }
  }
}

/** A read of this many bytes is one of many in a row: these share a request. */
const STREAM_FROM_BYTES = 512 * 1024;
/** Bytes streamed last are kept for readers that read the same range again. */
const RECENT_BYTES = 4 * 1024 * 1024;
/** Bytes that a small read brings along on either side. */
const AROUND_BYTES = 16 * 1024;
const MAX_BLOCKS = 64;

interface Block {
  readonly startByte: number;
  readonly bytes: Uint8Array;
}

/** An object's bytes by ranges. Consecutive reads share one stream; others fetch the surrounding bytes too. */
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

  /** `readAheadBytes` are fetched after each read, for the likely next one. */
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
