import { Worker } from "node:worker_threads";
import { workerFile } from "../../process/worker-file.ts";
import { type FileTags, NO_TAGS } from "./extract-tags.ts";

export interface ToTagWorker {
  readonly id: number;
  readonly name: string;
  readonly text: string;
}

export interface FromTagWorker {
  readonly id: number;
  /** Undefined when the worker could not do it. */
  readonly tags: FileTags | undefined;
}

/** Room for the garbage of parsing; more would only raise the peak. */
const YOUNG_MB = 8;
/** A parser that takes longer than this on one file does not stop by itself. */
const FILE_TIMEOUT_MS = 1000;
/** Extra time for start-up and loading a grammar with the first file. */
const START_MS = 5000;

interface Job extends ToTagWorker {
  readonly resolve: (tags: FileTags | undefined) => void;
}

/** Extracts tags on a worker thread, which is restarted if a file blocks it. */
export class WorkerExtractor {
  readonly #url: URL;
  #worker: Worker | undefined;
  #jobs: Job[] = [];
  #timer: NodeJS.Timeout | undefined;
  #lastId = 0;
  #ended = false;
  #warm = false;

  private constructor(url: URL) {
    this.#url = url;
    this.#start();
  }

  /** Undefined when run from source, where the thread has no file. */
  static start(): WorkerExtractor | undefined {
    const url = workerFile("tag-worker");
    return url && new WorkerExtractor(url);
  }

  /** Undefined when the worker has ended or could not do it; nothing of a file that takes too long. */
  extract(text: string, name: string): Promise<FileTags | undefined> {
    if (this.#ended) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const job = { id: ++this.#lastId, name, text, resolve };
      this.#jobs.push(job);
      this.#post(job);
      if (this.#jobs.length === 1) this.#watch();
    });
  }

  /** Ends the thread whatever it does; pending requests get nothing. */
  async dispose(): Promise<void> {
    const worker = this.#worker;
    this.#end();
    await worker?.terminate();
  }

  #start(): void {
    const worker = new Worker(this.#url, { execArgv: [], resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
    this.#worker = worker;
    this.#warm = false;
    worker.on("message", ({ id, tags }: FromTagWorker) => {
      this.#warm = true;
      if (this.#worker === worker) this.#settle(id, tags);
    });
    const end = () => this.#worker === worker && this.#end();
    worker.on("error", end);
    worker.on("exit", end);
  }

  #post({ id, name, text }: Job): void {
    this.#worker?.postMessage({ id, name, text } satisfies ToTagWorker);
  }

  #settle(id: number, tags: FileTags | undefined): void {
    const at = this.#jobs.findIndex((job) => job.id === id);
    if (at >= 0) this.#jobs.splice(at, 1)[0]?.resolve(tags);
    this.#watch();
  }

  #watch(): void {
    clearTimeout(this.#timer);
    if (this.#jobs.length === 0) return;
    this.#timer = setTimeout(() => this.#restart(), FILE_TIMEOUT_MS + (this.#warm ? 0 : START_MS));
  }

  #restart(): void {
    void this.#worker?.terminate();
    this.#start();
    this.#settle(this.#jobs[0]?.id ?? 0, NO_TAGS);
    for (const job of this.#jobs) this.#post(job);
  }

  #end(): void {
    this.#ended = true;
    this.#worker = undefined;
    clearTimeout(this.#timer);
    for (const { resolve } of this.#jobs.splice(0)) resolve(undefined);
  }
}
