import { createReadStream } from "node:fs";
import { JsonUnescaper } from "../../../bytes/json/unescape-json.ts";
import { SpillwayError } from "../../../errors.ts";
import { withPreview } from "../../../gate/gate-redaction.ts";
import type { Capture, GateOptions, Governed, Spillway } from "../../../gate/types.ts";
import type { Limits } from "../../../limits/types.ts";
import type { FinishOptions } from "../../../preview/types.ts";
import type { Outcome } from "../../../protocol/outcome.ts";
import { asOptions } from "../message/bound-part.ts";
import { limitsOfLoneText } from "../message/bound-result.ts";
import { limitsForClient } from "../message/client-limits.ts";
import { looksLikeJson } from "../message/json-text.ts";
import type { GovernedEarly } from "../message/result-on-disk.ts";
import type { PreviewThread, RemotePreview } from "./preview-thread.ts";
import type { ExpectedAnswer } from "./spool.ts";

const READ_BYTES = 128 * 1024;
const HEAD_BYTES = 64 * 1024;

/** A call whose result is bounded. */
export type BoundedCall = NonNullable<ExpectedAnswer["call"]>;

export interface EarlyTextTools {
  readonly spillway: Spillway;
  readonly previews: PreviewThread;
}

/** What a text took of a chunk. */
export interface TakenBytes {
  /** How many bytes; those after them are not the text's, or not what JSON allows. */
  readonly count: number;
  /** True when the last of them begins an escape. */
  readonly insideEscape: boolean;
  /** Settled when the next chunk may come. */
  readonly settled: Promise<void>;
}

interface Opened {
  readonly capture: Capture;
  readonly limits: Limits;
  /** Set for `smart`: the capture then keeps the text and knows its size, and the preview is made elsewhere. */
  readonly preview: RemotePreview | undefined;
}

/**
 * A text of a result that goes through the gate while it arrives, and nowhere else. It is bounded as the result's only
 * text, a guess that `claim` checks; when it was wrong, the preview is made again from the artifact. Not counted.
 */
export class EarlyText implements GovernedEarly {
  /** The text is one JSON document: no preview of it is shown. */
  readonly json: boolean;
  readonly #call: BoundedCall;
  readonly #tools: EarlyTextTools;
  readonly #unescaper = new JsonUnescaper();
  readonly #opened: Promise<Opened>;
  /** Chunks on their way; never rejects. */
  #tail: Promise<void>;
  #failure: Error | undefined;
  #governed: Promise<Governed> | undefined;
  #claimed = false;

  /** `head` is the beginning of the text as it stands in the message. */
  constructor(head: Uint8Array, call: BoundedCall, tools: EarlyTextTools) {
    this.#call = call;
    this.#tools = tools;
    this.json = startsLikeJson(head);
    this.#opened = this.#open();
    this.#tail = this.#opened.then(() => undefined, this.#fail);
  }

  /** Takes the next bytes as they stand in the message, which are its own from then on; undefined when it failed before. */
  write(chunk: Uint8Array): TakenBytes | undefined {
    if (this.#failure) return undefined;
    const unescaper = this.#unescaper;
    try {
      const bytes = unescaper.write(chunk);
      this.#tail = this.#tail.then(() => this.#feed(bytes)).catch(this.#fail);
    } catch (error) {
      this.#fail(error);
    }
    return { count: unescaper.used, insideEscape: unescaper.insideEscape, settled: this.#tail };
  }

  /** The text is complete. */
  end(): void {
    // Who claims or reads it meets the error.
    this.#finish().catch(() => {});
  }

  /** The governed text within these limits; undefined means that the text is to be read. */
  async claim(call: BoundedCall & { readonly outcome: Outcome }, limits: Limits): Promise<Governed | undefined> {
    if (call.tool !== this.#call.tool || call.callId !== this.#call.callId) return undefined;
    const { limits: guess, preview } = await this.#opened;
    const right = (Object.keys(guess) as (keyof Limits)[]).every((key) => guess[key] === limits[key]);
    const saved = await this.#finish();
    // Only now, after the text, is it known how the call ended.
    const governed = { ...saved, outcome: call.outcome };
    const fitting = right ? await shownBy(preview, governed) : await this.#fit(governed, limits);
    if (fitting) this.#claimed = true;
    return fitting;
  }

  /** The text as UTF-8. */
  async *read(): AsyncGenerator<Uint8Array> {
    const governed = await this.#finish();
    if (governed.kind === "whole") yield governed.bytes ?? Buffer.from(governed.text);
    else if ("artifact" in governed.storage)
      yield* createReadStream(governed.storage.artifact.path, { highWaterMark: READ_BYTES });
    else throw new SpillwayError("STORE_FAILED", `A large text could not be kept: ${governed.storage.lost}`);
  }

  /** Gives up what nobody claimed. */
  async discard(): Promise<void> {
    if (this.#claimed) return;
    this.#failure ??= new SpillwayError("ABORTED", "The text was given up");
    const opened = await this.#opened.catch(() => undefined);
    opened?.preview?.drop();
    await this.#tail;
    const governed = await this.#governed?.catch(() => undefined);
    if (!governed) await opened?.capture.discard();
    else if (governed.kind === "bounded" && "artifact" in governed.storage)
      await this.#tools.spillway.store.remove(governed.storage.artifact.id);
  }

  async #open(): Promise<Opened> {
    const { tool, callId, clientBytes, query } = this.#call;
    const { spillway, previews } = this.#tools;
    const resolved = await spillway.limits({ tool, callId });
    const limits = limitsOfLoneText(limitsForClient(resolved, clientBytes));
    const smart = resolved.strategy === "smart" && !this.json;
    const capture = await spillway.capture({
      tool,
      callId,
      counted: false,
      query,
      ...asOptions(limits),
      ...(this.json ? { extension: "json" } : {}),
      ...(smart || this.json ? { strategy: "head" } : {}),
    } as GateOptions);
    return { capture, limits, preview: smart ? previews.open({ limits, strategy: "smart", query }) : undefined };
  }

  async #feed(bytes: Uint8Array): Promise<void> {
    const { capture, preview } = await this.#opened;
    if (!this.#failure) await Promise.all([preview?.write(bytes), capture.write(bytes)]);
  }

  #finish(): Promise<Governed> {
    this.#governed ??= this.#tail.then(async () => {
      if (this.#failure) throw this.#failure;
      const { capture, preview: remote } = await this.#opened;
      const rest = this.#unescaper.end();
      await Promise.all([remote?.write(rest), capture.write(rest)]);
      return capture.finish();
    });
    return this.#governed;
  }

  /** The same text within other limits. */
  async #fit(governed: Governed, limits: Limits): Promise<Governed | undefined> {
    if (governed.kind === "whole" || !("artifact" in governed.storage)) return undefined;
    if (this.json) return withPreview(governed, governed.preview, limits);
    const { preview: guessed } = await this.#opened;
    guessed?.drop();
    const strategy = guessed === undefined ? governed.strategy : "smart";
    const remote = this.#tools.previews.open({ limits, strategy, query: this.#call.query });
    for await (const bytes of this.read()) await remote.write(bytes);
    const preview = await remote.finish(finishOf(governed));
    return preview && withPreview(governed, preview, limits);
  }

  readonly #fail = (error: unknown): void => {
    this.#failure ??= error as Error;
  };
}

/** With the preview that was made elsewhere; a thread that died costs the better preview, not the call. */
async function shownBy(remote: RemotePreview | undefined, governed: Governed): Promise<Governed> {
  if (governed.kind === "whole") {
    remote?.drop();
    return governed;
  }
  const preview = await remote?.finish(finishOf(governed));
  return preview === undefined ? governed : withPreview(governed, preview, governed.limits);
}

/** The mark that the gate gave the same text, and whether the call failed, for another preview of it. */
function finishOf(governed: Governed): FinishOptions {
  const mark = governed.kind === "bounded" ? governed.preview.mark : undefined;
  return { failed: governed.outcome.kind === "failure", ...(mark === undefined ? {} : { mark }) };
}

function startsLikeJson(head: Uint8Array): boolean {
  try {
    const bytes = new JsonUnescaper().write(Uint8Array.from(head.subarray(0, HEAD_BYTES)));
    return looksLikeJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"));
  } catch {
    // Whoever reads the text meets the same error, and can say it.
    return false;
  }
}
