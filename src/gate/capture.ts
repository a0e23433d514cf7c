import type { TablesHint } from "../artifacts/query/probe-tables.ts";
import type { Completion } from "../artifacts/types.ts";
import { ChunkEncoder } from "../bytes/chunk-encoder.ts";
import { decode } from "../bytes/utf8.ts";
import { kinds } from "../limits/options.ts";
import type { Limits, Strategy } from "../limits/types.ts";
import { chooseMark } from "../preview/mark.ts";
import { Counter, exceeds } from "../preview/measure.ts";
import type { Accumulator, Markers, Omission, Preview, Size } from "../preview/types.ts";
import type { StreamRedactor } from "../redact/stream-redactor.ts";
import { type ArtifactOpener, ArtifactSink } from "./artifact-sink.ts";
import { type Clean, cleanOutcome } from "./clean.ts";
import { canQuery, createHint, type Hint } from "./hint.ts";
import type { Reader } from "./reader.ts";
import { binaryRange, type ReadRange, rangeOf, widestRanges } from "./reader.ts";
import { digestOf } from "./records.ts";
import { fitNotice, fitsBeside, longestOf, renderNotices } from "./render/notice.ts";
import { shownAs } from "./shown-as.ts";
import type { BoundedResult, Capture, Governed, Outcome, Storage } from "./types.ts";

export interface CaptureContext {
  readonly tool: string;
  readonly callId: string | undefined;
  readonly command?: string | undefined;
  readonly extension: string;
  /** See `GateOptions`. */
  readonly adopt?: string | undefined;
  /** See `CreateArtifact`. */
  readonly expectedBytes?: number | undefined;
  readonly query: string | undefined;
  /** There is no question: the query is the command. */
  readonly unasked?: boolean;
  readonly limits: Limits;
  readonly strategy: Strategy;
  readonly reader: Reader;
  readonly store: ArtifactOpener;
  readonly storeTimeoutMs: number;
  /** There where tokens are limited. */
  readonly countTokens: ((text: string) => number) | undefined;
  /** The host's own wording of hints. */
  readonly words: ((hint: Hint) => string) | undefined;
  /** Markers are returned apart from the preview, and limits bound the kept text alone (`Truncate`). */
  readonly markers: Markers;
  /** Redacts chunks as they arrive. */
  readonly redactor?: StreamRedactor | undefined;
  /** The same for the reasons of its ending. */
  readonly clean?: Clean | undefined;
  /** How many were taken out of it before. */
  readonly redacted?: Readonly<Record<string, number>> | undefined;
  /** The caller, for records. */
  readonly surface: string;
  readonly onFinish: (result: Governed) => void;
}

const NEWLINE = 0x0a;
const SUCCESS: Outcome = { kind: "success" };

/** Holds an output in memory while it is within limits, then streams it to an artifact and previews it as it passes. */
export class OutputCapture implements Capture {
  readonly #context: CaptureContext;
  /** Counts the held bytes. */
  readonly #counter = new Counter();
  #held: Uint8Array[] = [];
  /** There as soon as the output is over a limit. */
  #accumulator: Accumulator | undefined;
  readonly #sink: ArtifactSink;
  #tables: TablesHint | undefined;
  /** Work in progress; later writes queue behind it. */
  #pending: Promise<void> | undefined;
  readonly #encoder = new ChunkEncoder();
  #listener: ((part: Uint8Array, over: boolean) => void) | undefined;

  constructor(context: CaptureContext) {
    this.#context = context;
    this.#sink = new ArtifactSink(context.store, context.storeTimeoutMs);
  }

  get size(): Size {
    return (this.#accumulator ?? this.#counter).size;
  }

  follow(listener: (part: Uint8Array, over: boolean) => void): void {
    this.#listener = listener;
  }

  write(chunk: Uint8Array | string): Promise<void> | undefined {
    if (typeof chunk !== "string") kinds.bytes(chunk, "A chunk that is no text");
    const bytes = this.#encoder.encode(chunk);
    const { redactor } = this.#context;
    if (redactor === undefined) return this.#put(bytes);
    for (const part of redactor.write(bytes)) void this.#put(part);
    return this.#pending;
  }

  #put(bytes: Uint8Array): Promise<void> | undefined {
    if (bytes.length === 0) return this.#pending;
    if (this.#pending !== undefined) {
      const copy = new Uint8Array(bytes);
      return this.#queue(() => this.#take(copy));
    }
    const waiting = this.#take(bytes);
    return waiting === undefined ? undefined : this.#queue(() => waiting);
  }

  async finish(ended: Outcome = SUCCESS): Promise<Governed> {
    const { clean } = this.#context;
    const outcome = clean === undefined ? ended : cleanOutcome(ended, clean);
    void this.write(this.#encoder.end());
    for (const part of this.#context.redactor?.end() ?? []) void this.#put(part);
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
    const redacted = this.#context.redacted ?? countsOf(this.#context.redactor?.counts);
    const base = { tool, callId, outcome, limits, strategy, ...(redacted === undefined ? {} : { redacted }) };
    if (this.#accumulator === undefined) {
      const bytes = concat(this.#held);
      const text = decode(bytes);
      // An unfinished character and an exact count of tokens are known only now.
      if (text.length <= limits.maxChars && !this.#exceedsTokens(text)) {
        return { ...base, kind: "whole", size: { ...this.#counter.size, chars: text.length }, text, bytes };
      }
    }
    const accumulator = this.#accumulator ?? (await this.#overflow());
    const storage = await this.#sink.close(completionOf(outcome, redacted, shownAs(this.#context, outcome)));
    const digits = await this.#digits(accumulator, outcome);
    return { ...base, kind: "bounded", ...this.#previewWith(accumulator, storage, outcome, digits) };
  }

  /** Digits of the mark: the output's sha256, or that of the preview if no store computed one. */
  async #digits(accumulator: Accumulator, { kind }: Outcome): Promise<string | undefined> {
    if (this.#context.markers === "outside") return undefined;
    if (this.#sink.sha256 !== undefined) return this.#sink.sha256;
    return digestOf(accumulator.finish({ failed: kind === "failure" }).text);
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
    digits: string | undefined,
  ): Pick<BoundedResult, "preview" | "hint" | "notice" | "storage" | "size"> {
    const { limits, countTokens, strategy, reader, markers, words, unasked } = this.#context;
    const size = accumulator.size;
    const hintOf = (
      kept: Size,
      omissions: readonly Omission[],
      range: ReadRange,
      seen: { readonly unanswered: boolean; readonly binary: boolean; readonly mark: string | undefined },
    ): Hint => {
      const tables = this.#tables;
      const hint = createHint({ outcome, size, kept, storage, omissions, ...seen, range, reader, tables });
      return words === undefined ? hint : { ...hint, words: words(hint) };
    };
    const { lines, bytes, chars } = size;
    const all = { lines, bytes, chars, startLine: 1, endLine: lines, startByte: 0, endByte: bytes };
    const mark = digits === undefined ? undefined : chooseMark(digits, "");
    const unknown = { unanswered: accumulator.asked === true && unasked !== true, binary: false, mark };
    const wide = widestRanges(size).map((range) => renderNotices(hintOf(size, [all], range, unknown)));
    const fitted =
      markers !== "inside" ? { index: 0, reserve: undefined } : fitNotice(longestOf(wide), limits, countTokens);
    const preview: Preview = accumulator.finish({
      markers,
      failed: outcome.kind === "failure",
      ...(digits === undefined ? {} : { mark: digits }),
      ...(fitted.reserve === undefined ? {} : { reserve: fitted.reserve }),
    });
    const { kept, omissions } = preview;
    const binary = preview.shape === "binary";
    const range = binary ? binaryRange(size) : rangeOf(omissions, size, strategy);
    const hint = hintOf(kept, omissions, range, {
      unanswered: preview.unanswered === true && unasked !== true,
      binary,
      mark: preview.mark,
    });
    const notice = renderNotices(hint)[fitted.index] ?? "";
    const fits = markers !== "inside" || fitsBeside(preview.text, notice, limits, countTokens);
    return { size: preview.source, preview, storage, hint, notice: fits ? notice : "" };
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
    const { limits } = this.#context;
    const { size } = this.#counter;
    const opened = (this.#held.at(-1)?.at(-1) ?? NEWLINE) !== NEWLINE;
    this.#counter.write(bytes);
    // A Buffer's own slice() would share memory with a buffer that the caller may use again.
    const part = new Uint8Array(bytes);
    this.#held.push(part);
    const over = exceeds(this.#counter.size, limits);
    this.#listener?.(
      over ? part.subarray(0, fittingLines(part, { ...size, lines: size.lines - (opened ? 1 : 0) }, limits)) : part,
      over,
    );
    return over ? this.#overflow().then(() => undefined) : undefined;
  }

  /** Loads what only an output over a limit needs: most are within, and start-up time matters. */
  async #overflow(): Promise<Accumulator> {
    const { createAccumulator } = await import("../preview/accumulator.ts");
    const { limits, strategy, query, countTokens, markers } = this.#context;
    const accumulator = createAccumulator({ limits, strategy, query, countTokens, markers });
    for (const bytes of this.#held) accumulator.write(bytes);
    this.#accumulator = accumulator;
    const { tool, callId, command, extension, adopt, expectedBytes } = this.#context;
    const held = this.#held;
    this.#held = [];
    this.#tables = await findTables(concat(held), this.#context);
    await this.#sink.open({ tool, callId, command, extension, adopt, expectedBytes }, held);
    return accumulator;
  }
}

/** Smaller limits leave the room to the preview. */
const LEAST_ROOM_FOR_TABLES = 6000;

/** The tables of an output for the hint, if whoever reads the hint can ask them. */
export async function findTables(
  beginning: Uint8Array,
  { limits, reader, words, store }: Pick<CaptureContext, "limits" | "reader" | "words" | "store">,
): Promise<TablesHint | undefined> {
  if (Math.min(limits.maxBytes, limits.maxChars) < LEAST_ROOM_FOR_TABLES) return undefined;
  if ((!canQuery(reader) && words === undefined) || store.writes === false) return undefined;
  const { probeTables } = await import("../artifacts/query/probe-tables.ts");
  try {
    return probeTables(beginning);
  } catch {
    // A hint costs no result, whatever the output is.
    return undefined;
  }
}

/** Number of bytes that form whole lines and still fit, after `size` bytes and this many finished lines. */
function fittingLines(part: Uint8Array, before: Size, { maxLines, maxBytes, maxChars, maxTokens }: Limits): number {
  // Tokens are counted at the end.
  if (maxTokens !== Infinity) return 0;
  const room = Math.min(maxBytes - before.bytes, maxChars - before.chars);
  let end = 0;
  for (let lines = before.lines; lines < maxLines; lines++) {
    const next = part.indexOf(NEWLINE, end) + 1;
    if (next === 0 || next > room) break;
    end = next;
  }
  return end;
}

/** The part of an outcome that the artifact's manifest records. */
export function completionOf(
  outcome: Outcome,
  redacted?: Readonly<Record<string, number>>,
  shown?: Completion["shown"],
): Completion {
  const ended = outcome.kind === "success" || outcome.kind === "failure";
  const reason = ended ? outcome.cutShort : outcome.message;
  const facts = { ...(redacted === undefined ? {} : { redacted }), ...(shown === undefined ? {} : { shown }) };
  return reason === undefined ? { complete: true, ...facts } : { complete: false, reason, ...facts };
}

/** Counts in the form that results use; undefined if there are none. */
export function countsOf(counts?: ReadonlyMap<string, number>): Readonly<Record<string, number>> | undefined {
  return counts === undefined || counts.size === 0 ? undefined : Object.fromEntries(counts);
}

function concat(chunks: readonly Uint8Array[]): Uint8Array {
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}
