import { createReadStream } from "node:fs";
import { Worker } from "node:worker_threads";
import { SpillwayError } from "../../../errors.ts";
import type { RecordSink } from "../../../gate/records.ts";
import { measure } from "../../../telemetry/telemetry.ts";
import type { RpcMessage } from "../../mcp-shared/json-rpc.ts";
import type { BoundMessage } from "../message/bound-message.ts";
import type { MessageHeader } from "./message-header.ts";
import { MessageEnds } from "./message-header.ts";
import { type ExpectedAnswer, type LargeArrival, type LargeMessage, parseAll, type Spool } from "./spool.ts";
import { type FromWorker, type ToWorker, WINDOW_BYTES, type WorkerData, YOUNG_MB } from "./worker-messages.ts";

/** The worker ends after this time without work, and its memory with it. */
const IDLE_MS = 10_000;

/** What the worker counted is given up when it does not answer in this time. */
const FLUSH_MS = 5000;

/** Chunks are handed over together, once they are this much. */
const BATCH_BYTES = 256 * 1024;

interface Slot {
  readonly onArrival: (arrival: LargeArrival) => void;
  readonly expected: readonly ExpectedAnswer[];
  /** Not yet on their way. */
  held: Uint8Array[];
  heldBytes: number;
  /** On their way. */
  inFlight: number;
  wake: (() => void) | undefined;
  readonly ends: MessageEnds;
  complete: boolean;
  /** Why the worker lost it. */
  lost: string | undefined;
  bounded: { resolve: (outcome: BoundMessage) => void; reject: (error: Error) => void } | undefined;
  arrived: boolean;
}

/** A spool whose scanning, writing and bounding happen in a worker thread, started on the first large message. */
export class WorkerSpool implements Spool {
  readonly #url: URL;
  readonly #data: WorkerData;
  readonly #records: RecordSink | undefined;
  readonly #slots = new Map<number, Slot>();
  #worker: Worker | undefined;
  #next = 0;
  #idle: NodeJS.Timeout | undefined;
  #recorded: Promise<void> = Promise.resolve();

  constructor(url: URL, data: WorkerData, records?: RecordSink) {
    this.#url = url;
    this.#data = data;
    this.#records = records;
  }

  open(
    onArrival: (arrival: LargeArrival) => void,
    expected: readonly ExpectedAnswer[] = [],
  ): ReturnType<Spool["open"]> {
    const slot = this.#next++;
    const state: Slot = {
      onArrival,
      expected,
      held: [],
      heldBytes: 0,
      inFlight: 0,
      wake: undefined,
      ends: new MessageEnds(),
      complete: false,
      lost: undefined,
      bounded: undefined,
      arrived: false,
    };
    this.#slots.set(slot, state);
    this.#post({ op: "open", slot, expected });
    return {
      write: (chunk) => {
        state.ends.write(chunk);
        // What still comes of a lost message goes nowhere.
        if (state.lost !== undefined) return undefined;
        state.held.push(chunk.byteLength === chunk.buffer.byteLength ? chunk : Uint8Array.from(chunk));
        state.heldBytes += chunk.byteLength;
        if (state.heldBytes < BATCH_BYTES) return undefined;
        this.#sendHeld(slot, state);
        if (state.inFlight <= WINDOW_BYTES) return undefined;
        return new Promise((resolve) => {
          state.wake = resolve;
        });
      },
      end: () => {
        state.complete = true;
        if (state.lost !== undefined) {
          this.#settleLost(slot, state);
          return;
        }
        this.#sendHeld(slot, state);
        this.#post({ op: "end", slot });
      },
      abort: () => this.#drop(slot),
    };
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    if (!worker) return;
    worker.ref();
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, FLUSH_MS);
      const done = (): void => {
        clearTimeout(late);
        resolve();
      };
      worker.on("message", ({ op }: FromWorker) => op === "flushed" && done());
      worker.once("exit", done);
      worker.postMessage({ op: "flush" } satisfies ToWorker);
    });
    await worker.terminate();
    await this.#recorded;
  }

  #sendHeld(slot: number, state: Slot): void {
    const chunks = state.held;
    state.inFlight += state.heldBytes;
    state.held = [];
    state.heldBytes = 0;
    this.#post(
      { op: "write", slot, chunks },
      chunks.map(({ buffer }) => buffer as ArrayBuffer),
    );
  }

  #post(message: ToWorker, transfer: ArrayBuffer[] = []): void {
    clearTimeout(this.#idle);
    this.#start().postMessage(message, transfer);
  }

  #start(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(this.#url, {
      workerData: this.#data,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    worker.unref();
    worker.on("message", (message: FromWorker) => this.#receive(message));
    worker.on("error", (error) => this.#fail(worker, error.message));
    worker.on("exit", () => this.#fail(worker, "its worker ended"));
    this.#worker = worker;
    return worker;
  }

  #receive(message: FromWorker): void {
    if (message.op === "flushed") return;
    if (message.op === "measured") {
      measure(message.instrument, message.value, message.attributes);
      return;
    }
    if (message.op === "recorded") {
      const { root, records } = message;
      // A database that is away costs the count, not the call.
      this.#recorded = this.#recorded.then(() => this.#records?.addRecords(root, records)).catch(() => {});
      return;
    }
    const state = this.#slots.get(message.slot);
    if (!state) return;
    switch (message.op) {
      case "written":
        state.inFlight -= message.bytes;
        if (state.inFlight <= WINDOW_BYTES / 2) {
          state.wake?.();
          state.wake = undefined;
        }
        break;
      case "arrived":
        state.arrived = true;
        state.onArrival({ kind: "message", message: this.#describe(message.slot, message.header, message.path) });
        break;
      case "untaken":
        this.#forget(message.slot);
        state.onArrival(message.arrival);
        break;
      case "bounded":
        state.bounded?.resolve({
          message: JSON.parse(message.outcome.json) as RpcMessage,
          artifacts: message.outcome.artifacts,
        });
        break;
      case "failed":
        this.#failSlot(message.slot, state, message.reason);
        break;
    }
  }

  #describe(slot: number, header: MessageHeader, path: string | undefined): LargeMessage {
    const read = (): AsyncIterable<Uint8Array> => {
      if (path === undefined)
        throw new SpillwayError("UPSTREAM_FAILED", "The answer to a call came for something else");
      return createReadStream(path, { highWaterMark: 1024 * 1024 });
    };
    return {
      header,
      bound: (request) =>
        new Promise((resolve, reject) => {
          const state = this.#slots.get(slot);
          if (!state) throw lostError("its worker ended");
          state.bounded = { resolve, reject };
          this.#post({ op: "bound", slot, request });
        }),
      read,
      parse: async () => parseAll(read()),
      discard: async () => this.#drop(slot),
    };
  }

  #drop(slot: number): void {
    const state = this.#slots.get(slot);
    if (!state) return;
    if (state.lost === undefined) this.#post({ op: "drop", slot });
    this.#forget(slot);
  }

  #forget(slot: number): void {
    this.#slots.get(slot)?.wake?.();
    this.#slots.delete(slot);
    if (this.#slots.size > 0) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.close(), IDLE_MS);
    this.#idle.unref();
  }

  #failSlot(slot: number, state: Slot, reason: string): void {
    if (!state.arrived) {
      state.lost = reason;
      state.wake?.();
      this.#settleLost(slot, state);
      return;
    }
    this.#forget(slot);
    state.bounded?.reject(lostError(reason));
  }

  /** Says whose message was lost as soon as that can be known: its end may hold the id. */
  #settleLost(slot: number, state: Slot): void {
    if (!this.#slots.has(slot)) return;
    const header = state.ends.readHeader(state.complete);
    const known = state.expected.filter(({ id }) => id === header.id);
    if (known.length === 0 && !state.complete && state.expected.length !== 1) return;
    this.#forget(slot);
    const expected = known.length > 0 ? known : state.expected;
    state.onArrival({ kind: "lost", header, expected, reason: state.lost ?? "" });
  }

  #fail(worker: Worker, reason: string): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const [slot, state] of [...this.#slots]) this.#failSlot(slot, state, reason);
  }
}

function lostError(reason: string): SpillwayError {
  return new SpillwayError("UPSTREAM_FAILED", `A large message was lost: ${reason}`);
}
