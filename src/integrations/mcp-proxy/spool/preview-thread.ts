import { Worker } from "node:worker_threads";
import type { AccumulatorOptions, FinishOptions, Preview } from "../../../preview/types.ts";
import { createDeferred } from "../../mcp-shared/http-body.ts";
import { YOUNG_MB } from "./worker-messages.ts";

export type ToPreviewWorker =
  | { readonly op: "open"; readonly slot: number; readonly options: AccumulatorOptions }
  | { readonly op: "write"; readonly slot: number; readonly buffer: ArrayBuffer; readonly bytes: number }
  | { readonly op: "finish"; readonly slot: number; readonly options: FinishOptions }
  | { readonly op: "drop"; readonly slot: number };

export type FromPreviewWorker =
  /** The buffer comes back, to be filled again. */
  | { readonly op: "consumed"; readonly slot: number; readonly buffer: ArrayBuffer }
  | { readonly op: "finished"; readonly slot: number; readonly preview: Preview };

const BUFFER_BYTES = 256 * 1024;
/** Buffers of one text, filled here, emptied there, and sent back. */
const MAX_BUFFERS = 4;

/** Makes previews in a thread of its own, started with the first: the scan takes longer than all else with a large text. */
export class PreviewThread {
  readonly #url: URL;
  readonly #open = new Map<number, RemotePreview>();
  #worker: Worker | undefined;
  #next = 0;

  constructor(url: URL) {
    this.#url = url;
  }

  open(options: AccumulatorOptions): RemotePreview {
    const worker = this.#start();
    const slot = this.#next++;
    const preview = new RemotePreview(slot, (message, transfer = []) => {
      if (message.op === "drop") this.#open.delete(slot);
      worker.postMessage(message, transfer);
    });
    this.#open.set(slot, preview);
    worker.postMessage({ op: "open", slot, options } satisfies ToPreviewWorker);
    return preview;
  }

  #start(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(this.#url, { resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
    worker.on("message", (message: FromPreviewWorker) => {
      const preview = this.#open.get(message.slot);
      if (message.op === "consumed") preview?.takeBack(message.buffer);
      else {
        this.#open.delete(message.slot);
        preview?.settle(message.preview);
      }
    });
    worker.on("error", () => this.#fail(worker));
    worker.on("exit", () => this.#fail(worker));
    this.#worker = worker;
    return worker;
  }

  #fail(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const previews = [...this.#open.values()];
    this.#open.clear();
    for (const preview of previews) preview.settle(undefined);
  }
}

/** A preview that is made in the other thread. */
export class RemotePreview {
  readonly #slot: number;
  readonly #post: (message: ToPreviewWorker, transfer?: ArrayBuffer[]) => void;
  readonly #free: ArrayBuffer[] = [];
  readonly #result = createDeferred<Preview | undefined>();
  #settled = false;
  #buffers = 0;
  #current: Uint8Array<ArrayBuffer> | undefined;
  #used = 0;
  #wake: (() => void) | undefined;

  constructor(slot: number, post: (message: ToPreviewWorker, transfer?: ArrayBuffer[]) => void) {
    this.#slot = slot;
    this.#post = post;
  }

  /** Copies the bytes; await the promise before the next. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length && !this.#settled; ) {
      const room = this.#room();
      if (!room) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      const part = bytes.subarray(at, at + room.length - this.#used);
      room.set(part, this.#used);
      this.#used += part.length;
      at += part.length;
      if (this.#used === room.length) this.#submit();
    }
  }

  /** The preview of everything written; undefined when the thread died. */
  finish(options: FinishOptions): Promise<Preview | undefined> {
    if (!this.#settled) {
      this.#submit();
      this.#post({ op: "finish", slot: this.#slot, options });
    }
    return this.#result.promise;
  }

  drop(): void {
    if (!this.#settled) this.#post({ op: "drop", slot: this.#slot });
    this.settle(undefined);
  }

  /** A buffer was emptied. */
  takeBack(buffer: ArrayBuffer): void {
    if (!this.#settled) this.#free.push(buffer);
    this.#wake?.();
  }

  settle(preview: Preview | undefined): void {
    this.#settled = true;
    this.#free.length = 0;
    this.#current = undefined;
    this.#result.resolve(preview);
    this.#wake?.();
  }

  #room(): Uint8Array<ArrayBuffer> | undefined {
    if (this.#current) return this.#current;
    let buffer = this.#free.pop();
    if (!buffer && this.#buffers < MAX_BUFFERS) {
      this.#buffers += 1;
      buffer = new ArrayBuffer(BUFFER_BYTES);
    }
    if (buffer) this.#current = new Uint8Array(buffer);
    return this.#current;
  }

  #submit(): void {
    const current = this.#current;
    if (!current) return;
    const bytes = this.#used;
    this.#current = undefined;
    this.#used = 0;
    this.#post({ op: "write", slot: this.#slot, buffer: current.buffer, bytes }, [current.buffer]);
  }
}
