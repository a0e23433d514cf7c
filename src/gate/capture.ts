import type { ArtifactStore, Completion } from "../artifacts/types.ts";
import type { Limits, Strategy } from "../limits/types.ts";
import { Counter } from "../preview/measure.ts";
import { decode } from "../preview/raw-lines.ts";
import type { Accumulator, Omission, Preview, Size } from "../preview/types.ts";
import { exceeds } from "../preview/window.ts";
import { ArtifactSink } from "./artifact-sink.ts";
import { createHint, type Hint } from "./hint.ts";
import { type ReadRange, rangeOf, widestRanges } from "./read-range.ts";
import type { Reader } from "./reader.ts";
import { fitNotice, fitsBeside, longestOf, renderNotices } from "./render/notice.ts";
import type { BoundedResult, Capture, Governed, Outcome, Storage } from "./types.ts";

export interface CaptureContext {
  readonly tool: string;
  readonly callId: string | undefined;
  readonly extension: string;
  /** See `GovernOptions`. */
  readonly adopt?: string | undefined;
  readonly query: string | undefined;
  readonly limits: Limits;
  readonly strategy: Strategy;
  readonly reader: Reader;
  readonly store: ArtifactStore;
  readonly storeTimeoutMs: number;
  /** There where tokens are limited. */
  readonly countTokens: ((text: string) => number) | undefined;
  /** The host's own wording of hints. */
  readonly words: ((hint: Hint) => string) | undefined;
  /** Markers beside the preview instead of in it, and limits that bound the kept text alone (`Truncate`). */
  readonly markers: "inside" | "outside";
  readonly onFinish: (result: Governed) => void;
}

const SUCCESS: Outcome = { kind: "success" };

/** Holds an output in memory while it is within limits, then streams it to an artifact and previews it as it passes. */
export class OutputCapture implements Capture {
  readonly #context: CaptureContext;
  /** Counts what is held. */
  readonly #counter = new Counter();
  #held: Uint8Array[] = [];
  /** There as soon as the output is over a limit. */
  #accumulator: Accumulator | undefined;
  readonly #sink: ArtifactSink;
  /** Work under way; writes that come before it is done queue behind it. */
  #pending: Promise<void> | undefined;
  #halfPair = "";

  constructor(context: CaptureContext) {
    this.#context = context;
    this.#sink = new ArtifactSink(context.store, context.storeTimeoutMs);
  }

  get size(): Size {
    return (this.#accumulator ?? this.#counter).size;
  }

  write(chunk: Uint8Array | string): Promise<void> | undefined {
    const bytes = typeof chunk === "string" ? this.#encode(chunk) : chunk;
    if (bytes.length === 0) return this.#pending;
    if (this.#pending !== undefined) {
      const copy = new Uint8Array(bytes);
      return this.#queue(() => this.#take(copy));
    }
    const waiting = this.#take(bytes);
    return waiting === undefined ? undefined : this.#queue(() => waiting);
  }

  async finish(outcome: Outcome = SUCCESS): Promise<Governed> {
    if (this.#halfPair !== "") this.write(new TextEncoder().encode(this.#takeHalfPair()));
    await this.#pending;
    const governed = await this.#conclude(outcome);
    this.#context.onFinish(governed);
    return governed;
  }

  async discard(): Promise<void> {
    await this.#pending;
    this.#held = [];
    await this.#sink.discard();
  }

  async #conclude(outcome: Outcome): Promise<Governed> {
    const { tool, callId, limits, strategy } = this.#context;
    const base = { tool, callId, outcome, limits, strategy };
    if (this.#accumulator === undefined) {
      const bytes = concat(this.#held);
      const text = decode(bytes);
      // An unfinished character and an exact count of tokens are known only now.
      if (text.length <= limits.maxChars && !this.#exceedsTokens(text)) {
        return { ...base, kind: "whole", size: { ...this.#counter.size, chars: text.length }, text, bytes };
      }
    }
    const accumulator = this.#accumulator ?? (await this.#overflow());
    const storage = await this.#sink.close(completionOf(outcome));
    return { ...base, kind: "bounded", ...this.#previewWith(accumulator, storage, outcome) };
  }

  #exceedsTokens(text: string): boolean {
    const { countTokens, limits } = this.#context;
    return countTokens !== undefined && limits.maxTokens !== Infinity && countTokens(text) > limits.maxTokens;
  }

  /** The hint names an omission, and the preview must leave room for the hint: so room is left for the widest. */
  #previewWith(
    accumulator: Accumulator,
    storage: Storage,
    outcome: Outcome,
  ): Pick<BoundedResult, "preview" | "hint" | "notice" | "storage" | "size"> {
    const { limits, countTokens, strategy, reader, markers, words } = this.#context;
    const size = accumulator.size;
    const hintOf = (kept: Size, omissions: readonly Omission[], range: ReadRange, unanswered: boolean): Hint => {
      const hint = createHint({ outcome, size, kept, storage, omissions, unanswered, range, reader });
      return words === undefined ? hint : { ...hint, words: words(hint) };
    };
    const { lines, bytes, chars } = size;
    const all = { lines, bytes, chars, startLine: 1, endLine: lines, startByte: 0, endByte: bytes };
    const asked = accumulator.asked === true;
    const wide = widestRanges(size).map((range) => renderNotices(hintOf(size, [all], range, asked)));
    const fitted =
      markers === "outside" ? { index: 0, reserve: undefined } : fitNotice(longestOf(wide), limits, countTokens);
    const preview: Preview = accumulator.finish({
      markers,
      ...(fitted.reserve === undefined ? {} : { reserve: fitted.reserve }),
    });
    const { kept, omissions } = preview;
    const hint = hintOf(kept, omissions, rangeOf(omissions, size, strategy), preview.unanswered === true);
    const notice = renderNotices(hint)[fitted.index] ?? "";
    const fits = markers === "outside" || fitsBeside(preview.text, notice, limits, countTokens);
    return { size: preview.source, preview, storage, hint, notice: fits ? notice : "" };
  }

  #encode(text: string): Uint8Array {
    let whole = this.#takeHalfPair() + text;
    const last = whole.charCodeAt(whole.length - 1);
    if (last >= 0xd800 && last <= 0xdbff) {
      this.#halfPair = whole.slice(-1);
      whole = whole.slice(0, -1);
    }
    return Buffer.from(whole, "utf8");
  }

  #takeHalfPair(): string {
    const half = this.#halfPair;
    this.#halfPair = "";
    return half;
  }

  #queue(work: () => Promise<void> | undefined): Promise<void> {
    const done = (this.#pending ?? Promise.resolve()).then(work).then(() => {
      if (this.#pending === done) this.#pending = undefined;
    });
    this.#pending = done;
    return done;
  }

  #take(bytes: Uint8Array): Promise<void> | undefined {
    if (this.#accumulator !== undefined) {
      // The store writes while the preview is being made.
      const writing = this.#sink.write(bytes);
      this.#accumulator.write(bytes);
      return writing;
    }
    this.#counter.write(bytes);
    // A Buffer's own slice() would share memory with a buffer that the caller may use again.
    this.#held.push(new Uint8Array(bytes));
    const { limits } = this.#context;
    const over = exceeds(this.#counter.size, limits);
    return over ? this.#overflow().then(() => undefined) : undefined;
  }

  /** What only an output over a limit needs is loaded here: most are not, and starting up takes time. */
  async #overflow(): Promise<Accumulator> {
    const { createAccumulator } = await import("../preview/accumulator.ts");
    const { limits, strategy, query, countTokens, markers } = this.#context;
    const accumulator = createAccumulator({ limits, strategy, query, countTokens, markers });
    for (const bytes of this.#held) accumulator.write(bytes);
    this.#accumulator = accumulator;
    const { tool, callId, extension, adopt } = this.#context;
    const held = this.#held;
    this.#held = [];
    await this.#sink.open({ tool, callId, extension, adopt }, held);
    return accumulator;
  }
}

/** What an ending says of the artifact. */
export function completionOf(outcome: Outcome): Completion {
  const ended = outcome.kind === "success" || outcome.kind === "failure";
  const reason = ended ? outcome.cutShort : outcome.message;
  return reason === undefined ? { complete: true } : { complete: false, reason };
}

function concat(chunks: readonly Uint8Array[]): Uint8Array {
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}
