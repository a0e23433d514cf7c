import { close, fdatasync, ftruncate, write } from "node:fs";
import { truncate } from "node:fs/promises";
import { promisify } from "node:util";
import { SpillwayError } from "../../errors.ts";
import { closing, openFileSource } from "../byte-source.ts";
import { type Digest, DigestBuilder, digestSource } from "../digest.ts";
import { storeFailed } from "../store-failure.ts";
import { type Block, createBlocks, DigestThread } from "./digest-thread.ts";

const INLINE_BLOCK_BYTES = 256 * 1024;
const INLINE_BLOCKS = 2;
const WORKER_BLOCK_BYTES = 512 * 1024;
const WORKER_BLOCKS = 8;
const WORKER_FROM_BYTES = 8 * 1024 * 1024;
/** Output that ends within this size is digested here, before a worker could start. */
const INLINE_TO_BYTES = 128 * 1024 * 1024;
const FLUSH_MS = 200;

/** A file is brought to the disk before it counts as saved where that takes no longer. */
const SYNC_MS = 5;
const MOST_SYNCED_BYTES = 8 * 1024 * 1024;

const closeFile = promisify(close);
const syncFile = promisify(fdatasync);
const truncateFile = promisify(ftruncate);

/**
 * Streams bytes into an open file in large writes, one at a time, and computes their digest on the way: here while the
 * file is small, in a worker once it is large. Memory stays at 0.5 MB, or 4 MB with the worker.
 */
export class DigestingFile {
  readonly #fd: number;
  readonly #path: string;
  readonly #workerFrom: number;
  readonly #free: Block[] = createBlocks(INLINE_BLOCKS, INLINE_BLOCK_BYTES);
  readonly #queue: Block[] = [];
  #current: Block | undefined;
  #inFlight = false;
  #acceptedBytes = 0;
  #writtenBytes = 0;
  #waiting: (() => void)[] = [];
  /** The write that waits for room. */
  #filling: Promise<void> | undefined;
  #flushTimer: NodeJS.Timeout | undefined;
  #ending = false;
  #workerRefused = false;
  #worker: DigestThread | undefined;
  /** The worker has started, and takes over once all that came so far is in the file. */
  #handingOver = false;
  #handedOver = false;
  /** Undefined once the worker has taken over or the digest must be computed from the file. */
  #builder: DigestBuilder | undefined = new DigestBuilder();
  #workerBlocks: Block[] = [];
  #failure: SpillwayError | undefined;
  #closed = false;

  constructor(fd: number, path: string, expectedBytes = Infinity) {
    this.#fd = fd;
    this.#path = path;
    this.#workerFrom = expectedBytes > INLINE_TO_BYTES ? WORKER_FROM_BYTES : INLINE_TO_BYTES;
  }

  get writtenBytes(): number {
    return this.#writtenBytes;
  }

  write(chunk: Uint8Array): Promise<void> | undefined {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    // A caller that did not wait: its bytes keep their order.
    if (this.#filling !== undefined) return this.#track(this.#filling.then(() => this.#fillRest(chunk, 0)));
    const taken = this.#fill(chunk, 0);
    return taken === chunk.length ? undefined : this.#track(this.#fillRest(chunk, taken));
  }

  /** Waits until everything is in the file and gives the digest; the file stays open. */
  async end(): Promise<Digest> {
    while (this.#filling !== undefined) await this.#filling;
    this.#ending = true;
    clearTimeout(this.#flushTimer);
    this.#submitCurrent();
    await this.#until(() => this.#failure !== undefined || this.#idle);
    if (this.#failure !== undefined) throw this.#failure;
    return (await this.#finishWorker()) ?? this.#builder?.finish() ?? (await this.digestStored());
  }

  /** The digest of the bytes that are really in the file, also after a failure. */
  async digestStored(): Promise<Digest> {
    return closing(await openFileSource(this.#path, { noFollow: true }), digestSource);
  }

  async truncate(bytes: number): Promise<void> {
    await (this.#closed ? truncate(this.#path, bytes) : truncateFile(this.#fd, bytes));
    this.#writtenBytes = bytes;
  }

  /** Brings the bytes to the disk if that is quick, and closes the file: a quota or a broken disk may show only here. */
  async settle(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const synced = this.#writtenBytes <= MOST_SYNCED_BYTES ? syncFile(this.#fd) : Promise.resolve();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<"late">((resolve) => {
      timer = setTimeout(resolve, SYNC_MS, "late");
    });
    const ended = await Promise.race([synced, late]).catch((error: unknown) => ({ error }));
    clearTimeout(timer);
    // The descriptor must not be another file's while it is still synced.
    const closed = synced.catch(() => {}).then(() => closeFile(this.#fd));
    if (ended === "late") return void closed.catch(() => {});
    await closed;
    if (ended !== undefined) throw ended.error;
  }

  async close(): Promise<void> {
    this.#ending = true;
    this.#failure ??= new SpillwayError("ABORTED", "the artifact was closed");
    clearTimeout(this.#flushTimer);
    this.#worker?.close();
    this.#queue.length = 0;
    this.#wake();
    await this.#until(() => !this.#inFlight);
    // A file that was closed without settling is not reported as saved.
    if (!this.#closed) await closeFile(this.#fd).catch(() => {});
    this.#closed = true;
  }

  get #idle(): boolean {
    return !this.#inFlight && this.#queue.length === 0;
  }

  #fill(chunk: Uint8Array, from: number): number {
    let at = from;
    while (at < chunk.length) {
      this.#current ??= this.#handingOver ? undefined : this.#free.pop();
      const block = this.#current;
      if (block === undefined) break;
      const part = chunk.subarray(at, at + block.bytes.length - block.used);
      // Native copy: `set` copies bytewise if memory is shared and the alignments differ.
      block.bytes.fill(part, block.used, block.used + part.length);
      block.used += part.length;
      at += part.length;
      if (block.used === block.bytes.length) this.#submitCurrent();
    }
    this.#acceptedBytes += at - from;
    if (this.#current !== undefined) this.#flushSoon();
    return at;
  }

  async #fillRest(chunk: Uint8Array, from: number): Promise<void> {
    for (let at = this.#fill(chunk, from); at < chunk.length; at = this.#fill(chunk, at)) {
      await this.#change();
      if (this.#failure !== undefined) throw this.#failure;
    }
  }

  #track(filling: Promise<void>): Promise<void> {
    const done = () => {
      if (this.#filling === filling) this.#filling = undefined;
    };
    this.#filling = filling;
    filling.then(done, done);
    return filling;
  }

  /** Writes the buffered bytes of a slow writer, so that they can be read and survive a kill. */
  #flushSoon(): void {
    this.#flushTimer ??= setTimeout(() => {
      this.#flushTimer = undefined;
      if (this.#idle) this.#submitCurrent();
      else if (this.#current !== undefined) this.#flushSoon();
    }, FLUSH_MS).unref();
  }

  #submitCurrent(): void {
    const block = this.#current;
    this.#current = undefined;
    if (block === undefined || this.#failure !== undefined) return;
    block.toWrite = true;
    block.toDigest = this.#worker !== undefined && this.#handedOver;
    if (block.toDigest) this.#worker?.add(block.number, block.used);
    this.#builder?.add(block.bytes.subarray(0, block.used));
    this.#queue.push(block);
    if (this.#wantsWorker()) this.#startWorker();
    this.#writeNext();
  }

  #wantsWorker(): boolean {
    if (this.#builder === undefined || this.#workerRefused || this.#ending) return false;
    return this.#acceptedBytes >= this.#workerFrom && DigestThread.available;
  }

  #writeNext(): void {
    if (this.#inFlight) return;
    const block = this.#queue.shift();
    if (block === undefined) {
      if (this.#handingOver) this.#handOver();
      this.#wake();
      return;
    }
    this.#inFlight = true;
    this.#writeBlock(block, 0);
  }

  #writeBlock(block: Block, from: number): void {
    write(this.#fd, block.bytes, from, block.used - from, this.#writtenBytes, (error, count) => {
      if (error !== null) {
        this.#inFlight = false;
        this.#fail(error);
        return;
      }
      if (count === 0) {
        this.#inFlight = false;
        this.#fail(new Error("the file takes no more bytes"));
        return;
      }
      this.#writtenBytes += count;
      if (from + count < block.used) {
        this.#writeBlock(block, from + count);
        return;
      }
      this.#inFlight = false;
      block.toWrite = false;
      this.#release(block);
      this.#writeNext();
    });
  }

  #release(block: Block): void {
    if (block.toWrite || block.toDigest) return;
    block.used = 0;
    this.#free.push(block);
    this.#wake();
  }

  #digested(block: Block): void {
    block.toDigest = false;
    this.#release(block);
  }

  /**
   * Without threads or shared memory the digest is computed here. While the worker starts, the
   * file grows without a digest: the worker reads it from the beginning.
   */
  #startWorker(): void {
    try {
      const memory = new SharedArrayBuffer(WORKER_BLOCKS * WORKER_BLOCK_BYTES);
      this.#worker = DigestThread.start({
        fd: this.#fd,
        memory,
        blockBytes: WORKER_BLOCK_BYTES,
        onReady: () => this.#prepareHandingOver(),
        onBlockDone: (number) => this.#digested(this.#workerBlocks[number] as Block),
        onFailure: () => this.#loseWorker(),
      });
      this.#workerBlocks = createBlocks(WORKER_BLOCKS, WORKER_BLOCK_BYTES, memory);
    } catch {
      this.#worker = undefined;
    }
    if (this.#worker === undefined) this.#workerRefused = true;
    else this.#builder = undefined;
  }

  #prepareHandingOver(): void {
    if (this.#ending) return;
    this.#handingOver = true;
    this.#submitCurrent();
    this.#writeNext();
  }

  #handOver(): void {
    this.#handingOver = false;
    this.#handedOver = true;
    this.#worker?.begin(this.#writtenBytes);
    this.#free.splice(0, this.#free.length, ...this.#workerBlocks);
  }

  /** Continues without the worker; the digest is computed at the end by reading the file. */
  #loseWorker(): void {
    this.#worker = undefined;
    this.#handingOver = false;
    for (const block of this.#workerBlocks) if (block.toDigest) this.#digested(block);
    this.#wake();
  }

  async #finishWorker(): Promise<Digest | undefined> {
    const worker = this.#worker;
    if (worker === undefined) return undefined;
    let digest: Digest | undefined;
    if (!this.#handedOver) worker.begin(this.#writtenBytes);
    worker.finish((answer) => {
      digest = answer;
      this.#wake();
    });
    await this.#until(() => digest !== undefined || this.#worker === undefined);
    worker.close();
    return digest;
  }

  #fail(error: unknown): void {
    this.#failure = storeFailed("write the artifact", error);
    this.#queue.length = 0;
    this.#worker?.close();
    this.#wake();
  }

  async #until(condition: () => boolean): Promise<void> {
    while (!condition()) await this.#change();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
