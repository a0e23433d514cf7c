import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { FileTags } from "./extract-tags.ts";

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

/** Extracts tags on a thread of its own. */
export class WorkerExtractor {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, (tags: FileTags | undefined) => void>();
  #lastId = 0;
  #ended = false;

  private constructor(url: URL) {
    this.#worker = new Worker(url, { execArgv: [], resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
    this.#worker.on("message", ({ id, tags }: FromTagWorker) => this.#settle(id, tags));
    this.#worker.on("error", () => this.#end());
    this.#worker.on("exit", () => this.#end());
  }

  /** Undefined where a second thread would not help, or when run from source, where it has no file. */
  static start(): WorkerExtractor | undefined {
    const url = new URL("./tag-worker.mjs", import.meta.url);
    return availableParallelism() > 1 && existsSync(url) ? new WorkerExtractor(url) : undefined;
  }

  /** Undefined when the worker has ended or could not do it. */
  extract(text: string, name: string): Promise<FileTags | undefined> {
    if (this.#ended) return Promise.resolve(undefined);
    const id = ++this.#lastId;
    this.#worker.postMessage({ id, name, text } satisfies ToTagWorker);
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  async dispose(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle(id: number, tags: FileTags | undefined): void {
    this.#waiting.get(id)?.(tags);
    this.#waiting.delete(id);
  }

  #end(): void {
    this.#ended = true;
    for (const id of this.#waiting.keys()) this.#settle(id, undefined);
  }
}
