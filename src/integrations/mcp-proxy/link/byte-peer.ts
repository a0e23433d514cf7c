import type { Readable, Writable } from "node:stream";
import { parseJson } from "../../../bytes/json/parse-json.ts";
import { stringifyJson } from "../../../bytes/json/stringify-json.ts";
import { LineFrames } from "../../../bytes/line-frames.ts";
import { drained } from "../../mcp-shared/http-body.ts";
import { type Frame, isRpcMessage } from "../../mcp-shared/json-rpc.ts";
import type { ExpectedAnswer, LargeArrival, LargeMessage, Spool } from "../spool/spool.ts";

/** Lines beyond this are spooled instead of parsed in memory. */
export const LARGE_BYTES = 512 * 1024;

const NEWLINE = Buffer.from("\n");

export interface BytePeerEvents {
  onFrame(frame: Frame): void;
  onLarge(arrival: LargeArrival): void;
  /** Requests whose answers are expected. */
  expected?(): readonly ExpectedAnswer[];
  /** A line that is no JSON-RPC message; `line` is its beginning. */
  onGarbage(line: string): void;
  onEnd(): void;
}

/** Newline-delimited JSON-RPC over a pair of byte streams: our own framing, so that no message is parsed twice or changed. */
export class BytePeer {
  readonly #output: Writable;
  #tail: Promise<void> = Promise.resolve();

  constructor(input: Readable, output: Writable, spool: Spool, events: BytePeerEvents) {
    this.#output = output;
    const frames = new LineFrames({
      largeBytes: LARGE_BYTES,
      onLine: (line) => {
        const message = parseLine(line);
        if (message) events.onFrame({ message, raw: line });
        else events.onGarbage(line.subarray(0, 400).toString("utf8"));
      },
      openLarge: () => spool.open((arrival) => events.onLarge(arrival), events.expected?.()),
    });
    input.on("data", (chunk: Buffer) => {
      const wait = frames.push(chunk);
      if (!wait) return;
      input.pause();
      void wait.then(() => input.resume());
    });
    let ended = false;
    const end = (): void => {
      if (ended) return;
      ended = true;
      const rest = frames.finish();
      if (rest && rest.toString("utf8").trim() !== "") events.onGarbage(rest.subarray(0, 400).toString("utf8"));
      events.onEnd();
    };
    input.on("end", end);
    input.on("close", end);
    input.on("error", end);
    output.on("error", end);
  }

  /** Writes a message after those before it; resolves when the stream took it. */
  send(frame: Frame): Promise<void> {
    const bytes = frame.raw ?? Buffer.from(stringifyJson(frame.message));
    return this.#enqueue(() => this.#write([bytes, NEWLINE]));
  }

  sendLarge(message: LargeMessage): Promise<void> {
    return this.#enqueue(async () => {
      for await (const chunk of message.read()) await this.#write([chunk]);
      await this.#write([NEWLINE]);
    });
  }

  #enqueue(task: () => Promise<void>): Promise<void> {
    const run = this.#tail.then(task);
    this.#tail = run.catch(() => {});
    return run;
  }

  async #write(chunks: readonly Uint8Array[]): Promise<void> {
    if (this.#output.destroyed || this.#output.writableEnded) throw new Error("The stream is closed");
    let room = true;
    this.#output.cork();
    for (const chunk of chunks) room = this.#output.write(chunk);
    this.#output.uncork();
    if (!room) await drained(this.#output);
  }
}

function parseLine(line: Buffer): Frame["message"] | undefined {
  const value = parseJson(line.toString("utf8"));
  return isRpcMessage(value) ? value : undefined;
}
