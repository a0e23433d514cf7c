import { closeSync, openSync, readSync } from "node:fs";
import type { Capture, Governed, Spillway } from "../../../gate/types.ts";
import type { Limits } from "../../../limits/types.ts";
import { asOptions } from "../bound/bound-part.ts";
import { limitsOfLoneText } from "../bound/bound-result.ts";
import { looksLikeJson } from "../bound/json-text.ts";
import type { ExpectedCall } from "./spool.ts";
import type { BeginEarly } from "./spool-file.ts";
import { unescapeJson } from "./unescape-json.ts";

/** A string is begun once this much of it is there; shorter ones are read into memory anyway. */
export const MIN_EARLY_BYTES = 1024 * 1024;
/** Read in pieces of this size, so that the gate is called seldom. */
const READ_BYTES = 128 * 1024;
const HEAD_BYTES = 64 * 1024;

/** Begins with the text of the one call that a message can be the answer to. */
export function beginEarly(expected: readonly ExpectedCall[], spillway: Spillway): BeginEarly {
  return (path, startByte, id) => {
    const call = id === undefined && expected.length === 1 ? expected[0] : expected.find((one) => one.id === id);
    return call && new EarlyText(path, startByte, call, spillway);
  };
}

/**
 * A string of a message that goes through the gate while it arrives: read from the spool file behind the writer. It is
 * bounded as a result's only text, a guess that `claim` checks.
 */
export class EarlyText {
  readonly #path: string;
  readonly #call: ExpectedCall;
  readonly #spillway: Spillway;
  /** All of the string, not finished; undefined when it was given up. */
  readonly #captured: Promise<Capture | undefined>;
  #limits: Limits | undefined;
  #at: number;
  #end: number;
  #complete = false;
  #dropped = false;
  #claimed = false;
  #wake: (() => void) | undefined;

  constructor(path: string, startByte: number, call: ExpectedCall, spillway: Spillway) {
    this.#path = path;
    this.#call = call;
    this.#spillway = spillway;
    this.#at = startByte;
    this.#end = startByte;
    this.#captured = this.#run().catch(() => undefined);
  }

  /** The file holds the string up to `endByte`. */
  advance(endByte: number, complete: boolean): void {
    if (this.#complete) return;
    this.#end = endByte;
    this.#complete = complete;
    if (complete || endByte - this.#at >= READ_BYTES) this.#wake?.();
  }

  /** The governed text, when the guess was right; undefined means that the string is to be read again. */
  async claim(call: Omit<ExpectedCall, "id">, limits: Limits): Promise<Governed | undefined> {
    const guess = this.#limits;
    const right =
      guess &&
      call.tool === this.#call.tool &&
      call.callId === this.#call.callId &&
      (Object.keys(guess) as (keyof Limits)[]).every((key) => guess[key] === limits[key]);
    if (!right) return undefined;
    this.#claimed = true;
    return (await this.#captured)?.finish();
  }

  /** Gives up what nobody claimed. */
  async discard(): Promise<void> {
    if (this.#claimed) return;
    this.#dropped = true;
    this.#wake?.();
    await (await this.#captured)?.discard();
  }

  async #run(): Promise<Capture | undefined> {
    const { tool, callId } = this.#call;
    const { limits } = await this.#spillway.limits({ tool, callId });
    this.#limits = limitsOfLoneText(limits);
    const capture = await this.#spillway.capture({ tool, callId, ...asOptions(this.#limits) });
    try {
      if (await this.#feed(capture)) return capture;
    } catch {
      // Whoever reads the string again meets the same error, and can say it.
    }
    await capture.discard();
    return undefined;
  }

  /** False when the string is no text to preview, or nobody wants it any more. */
  async #feed(capture: Capture): Promise<boolean> {
    let first = true;
    for await (const piece of unescapeJson(this.#read())) {
      if (first && !isPlainText(piece)) return false;
      first = false;
      await capture.write(piece);
    }
    return !this.#dropped;
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    const buffer = Buffer.allocUnsafe(READ_BYTES);
    const descriptor = openSync(this.#path, "r");
    try {
      while (!this.#dropped) {
        const there = Math.min(this.#end - this.#at, buffer.length);
        if (there === buffer.length || (this.#complete && there > 0)) {
          const read = readSync(descriptor, buffer, 0, there, this.#at);
          if (read === 0) throw new Error("The spool file is shorter than what was written to it");
          this.#at += read;
          yield buffer.subarray(0, read);
        } else if (this.#complete) return;
        else
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
      }
    } finally {
      closeSync(descriptor);
    }
  }
}

/** JSON is bounded as JSON, and base64 is no text; neither is worth a guess. */
function isPlainText(piece: Uint8Array): boolean {
  const head = Buffer.from(piece.buffer, piece.byteOffset, Math.min(piece.byteLength, HEAD_BYTES)).toString("utf8");
  return /\s/.test(head) && !looksLikeJson(head);
}
