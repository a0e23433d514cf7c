import { availableParallelism } from "node:os";
import { isMainThread, Worker } from "node:worker_threads";
import type { Digest } from "../digest.ts";
import { INDEX_STRIDE } from "../line-index.ts";
import { DIGEST_WORKER_SOURCE } from "./digest-worker-source.ts";
import { NEWLINE_COUNTER_HEX } from "./newline-counter.ts";

const MAX_WORKERS = Math.max(1, availableParallelism() - 1);
let running = 0;

export interface DigestWorkerOptions {
  /** The open file, readable; the worker reads its first `writtenBytes` itself. */
  readonly fd: number;
  readonly writtenBytes: number;
  /** From `createCounterMemory`; blocks lie in it one after the other. */
  readonly memory: object;
  readonly blockBytes: number;
  readonly onBlockDone: (block: number) => void;
  /** The worker died; what it had computed is lost. */
  readonly onFailure: (error: unknown) => void;
}

type Reply = { readonly block: number } | { readonly digest: Digest };

/** Computes a digest on another thread, from blocks of shared memory. Keeps the process alive only while it owes an answer. */
export class DigestWorker {
  readonly #worker: Worker;
  #owed = 0;
  #closed = false;
  #onDigest: ((digest: Digest) => void) | undefined;

  constructor(options: DigestWorkerOptions) {
    const { fd, writtenBytes, memory, blockBytes } = options;
    this.#worker = new Worker(DIGEST_WORKER_SOURCE, {
      eval: true,
      execArgv: [],
      workerData: { fd, writtenBytes, memory, counterHex: NEWLINE_COUNTER_HEX, blockBytes, stride: INDEX_STRIDE },
    });
    running += 1;
    this.#worker.unref();
    this.#worker.on("message", (reply: Reply) => {
      this.#settle();
      if ("block" in reply) options.onBlockDone(reply.block);
      else this.#onDigest?.(reply.digest);
    });
    const fail = (error: unknown) => {
      if (this.#closed) return;
      this.close();
      options.onFailure(error);
    };
    this.#worker.on("error", fail);
    this.#worker.on("exit", () => fail(new Error("the digest worker ended")));
  }

  /** True while another worker may be started; a thread beside the main one does the work itself. */
  static get available(): boolean {
    return isMainThread && running < MAX_WORKERS;
  }

  /** Hands over the first `used` bytes of a block; they must not change until `onBlockDone`. */
  add(block: number, used: number): void {
    this.#owe();
    this.#worker.postMessage({ block, used });
  }

  /** Asks for the digest of everything handed over; `onDigest` is not called when the worker dies. */
  finish(onDigest: (digest: Digest) => void): void {
    this.#onDigest = onDigest;
    this.#owe();
    this.#worker.postMessage({ finish: true });
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
