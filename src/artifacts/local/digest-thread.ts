import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";
import { threadsModule } from "../../builtin-modules.ts";
import { PLATFORM } from "../../platform/platform.ts";
import { workerFile } from "../../process/worker-file.ts";
import type { Digest } from "../digest.ts";

/** Memory that is written into a file, and digested, before it is used again. */
export interface Block {
  readonly number: number;
  readonly bytes: Buffer;
  used: number;
  toWrite: boolean;
  toDigest: boolean;
}

/** Blocks of memory of their own, or of shared memory, one after the other. */
export function createBlocks(count: number, bytes: number, memory?: ArrayBufferLike): Block[] {
  return Array.from({ length: count }, (_, number) => ({
    number,
    bytes: memory === undefined ? Buffer.allocUnsafeSlow(bytes) : Buffer.from(memory, number * bytes, bytes),
    used: 0,
    toWrite: false,
    toDigest: false,
  }));
}

const MAX_WORKERS = Math.max(1, availableParallelism() - 1);
let running = 0;

export interface StartDigestWorker {
  /** The open file, readable. */
  readonly fd: number;
  /** Holds the blocks, one after the other. */
  readonly memory: SharedArrayBuffer;
  readonly blockBytes: number;
}

/** `storedBytes`: number of leading bytes in the file, which the worker reads itself. */
export type ToDigestWorker =
  | { readonly storedBytes: number }
  | { readonly block: number; readonly used: number }
  | "finish";
export type FromDigestWorker = "ready" | { readonly block: number } | { readonly digest: Digest };

export interface DigestThreadOptions extends StartDigestWorker {
  /** The worker has started; only now blocks are taken without delay. */
  readonly onReady: () => void;
  readonly onBlockDone: (block: number) => void;
  /** The worker died; its results are lost. */
  readonly onFailure: (error: unknown) => void;
}

/** Computes a digest on another thread, from blocks of shared memory. Keeps the process alive only while it owes an answer. */
export class DigestThread {
  readonly #worker: Worker;
  #owed = 0;
  #closed = false;
  #onDigest: ((digest: Digest) => void) | undefined;

  private constructor(file: URL, { onReady, onBlockDone, onFailure, ...start }: DigestThreadOptions) {
    this.#worker = new (threadsModule().Worker)(file, { execArgv: [], workerData: start });
    running += 1;
    this.#worker.unref();
    this.#worker.on("message", (reply: FromDigestWorker) => {
      if (reply === "ready") return onReady();
      this.#settle();
      if ("block" in reply) onBlockDone(reply.block);
      else this.#onDigest?.(reply.digest);
    });
    const fail = (error: unknown) => {
      if (this.#closed) return;
      this.close();
      onFailure(error);
    };
    this.#worker.on("error", fail);
    this.#worker.on("exit", () => fail(new Error("the digest worker ended")));
  }

  /** Undefined if the worker's file is missing or all threads are busy; worker threads compute digests themselves. */
  static start(options: DigestThreadOptions): DigestThread | undefined {
    const file = DigestThread.available ? workerFile("digest-worker", "cjs") : undefined;
    return file && new DigestThread(file, options);
  }

  /** True while another thread may be started. */
  static get available(): boolean {
    return PLATFORM.threadsShareFiles && running < MAX_WORKERS && threadsModule().isMainThread;
  }

  /** Sets how many bytes of the file precede the blocks; they must be in the file. */
  begin(storedBytes: number): void {
    this.#worker.postMessage({ storedBytes } satisfies ToDigestWorker);
  }

  /** Hands over the first `used` bytes of a block; they must not change until `onBlockDone`. */
  add(block: number, used: number): void {
    this.#owe();
    this.#worker.postMessage({ block, used } satisfies ToDigestWorker);
  }

  /** Asks for the digest of everything handed over; `onDigest` is not called when the worker dies. */
  finish(onDigest: (digest: Digest) => void): void {
    this.#onDigest = onDigest;
    this.#owe();
    this.#worker.postMessage("finish" satisfies ToDigestWorker);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    running -= 1;
    void this.#worker.terminate();
  }

  #owe(): void {
    if (this.#owed++ === 0) this.#worker.ref();
  }

  #settle(): void {
    if (--this.#owed === 0) this.#worker.unref();
  }
}
