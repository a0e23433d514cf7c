import { concat } from "../bytes/concat.ts";
import { countLines } from "../bytes/count-newlines.ts";
import { byteLength, decode } from "../bytes/utf8.ts";
import { invalidArgument } from "../errors.ts";
import { completePreviewLimits } from "../limits/defaults.ts";
import { checkOptions, kinds, LIMIT_CHECKS } from "../limits/options.ts";
import { STRATEGIES, type Strategy } from "../limits/types.ts";
import { checkQuery, queryText } from "../query/query-context.ts";
import { describeBinary } from "./binary/describe-binary.ts";
import { OpaqueText } from "./binary/opaque-text.ts";
import { fitsRoom } from "./fit.ts";
import { chooseMark, quoteImitations, stamp } from "./mark.ts";
import { accountFor, makeSelection, NOTHING, type Room, roomWithin, START } from "./pieces.ts";
import { selectByPosition, selectWithin } from "./positional.ts";
import { createSmartAccumulator } from "./smart/smart-accumulator.ts";
import { estimateTokens } from "./tokens/estimate-tokens.ts";
import type {
  Accumulator,
  AccumulatorOptions,
  CompleteOptions,
  FinishOptions,
  Preview,
  Reserve,
  Size,
} from "./types.ts";
import { Window } from "./window.ts";

/** How much of the output tells whether it is text. */
const SAMPLE_BYTES = 16_384;

const ACCUMULATOR_CHECKS = {
  limits: kinds.object,
  strategy: kinds.oneOf(...STRATEGIES),
  query: checkQuery,
  countTokens: kinds.call,
  markers: kinds.oneOf("inside", "outside", "on_top"),
} satisfies Record<keyof AccumulatorOptions, unknown>;

const { strategy: _, markersOnTop: __, ...SIZE_CHECKS } = LIMIT_CHECKS;

export const FINISH_CHECKS = {
  reserve: kinds.object,
  markers: kinds.oneOf("inside", "outside", "on_top"),
  mark: kinds.text,
  failed: kinds.flag,
} satisfies Record<keyof FinishOptions, unknown>;

const RESERVE_CHECKS = {
  lines: kinds.from0,
  bytes: kinds.from0,
  chars: kinds.from0,
  tokens: kinds.from0,
} satisfies Record<keyof Reserve, unknown>;

/** Collects chunks for any strategy. For binary output the preview says what it is. */
export function createAccumulator(options: AccumulatorOptions): Accumulator {
  const { limits, strategy } = checkOptions(options, ACCUMULATOR_CHECKS, "createAccumulator()", {
    needs: ["limits", "strategy"],
  });
  checkOptions(limits, SIZE_CHECKS, "createAccumulator({ limits })");
  const complete = {
    ...options,
    limits: completePreviewLimits(limits, strategy),
    query: queryText(options.query),
  };
  const chosen =
    strategy === "smart" ? createSmartAccumulator(complete) : new PositionalAccumulator(complete, strategy);
  return new TextOrBinary(complete, chosen);
}

class TextOrBinary implements Accumulator {
  readonly #options: CompleteOptions;
  readonly #text: Accumulator;
  readonly #sample: Uint8Array[] = [];
  #sampled = 0;
  #lastByte = 0;
  /** Only `smart` shows what data is instead of the data. */
  readonly #opaque: OpaqueText | undefined;

  constructor(options: CompleteOptions, text: Accumulator) {
    this.#options = options;
    this.#text = text;
    this.#opaque = options.strategy === "smart" && options.markers !== "outside" ? new OpaqueText() : undefined;
  }

  get size(): Size {
    return this.#text.size;
  }

  get over(): boolean {
    return this.#text.over;
  }

  get asked(): boolean {
    return this.#text.asked === true;
  }

  write(given: Uint8Array): void {
    if (!ArrayBuffer.isView(given)) throw invalidArgument("write() takes bytes (a Uint8Array).");
    if (given.length === 0) return;
    // A slice of a node Buffer would be no copy, and what it is taken from may be used again.
    const chunk = new Uint8Array(given.buffer, given.byteOffset, given.length);
    this.#text.write(chunk);
    this.#opaque?.write(chunk);
    this.#lastByte = chunk[chunk.length - 1] as number;
    if (this.#sampled >= SAMPLE_BYTES) return;
    const part = chunk.slice(0, SAMPLE_BYTES - this.#sampled);
    this.#sample.push(part);
    this.#sampled += part.length;
  }

  finish(options: FinishOptions = {}): Preview {
    checkOptions(options, FINISH_CHECKS, "finish()");
    if (options.reserve !== undefined) checkOptions(options.reserve, RESERVE_CHECKS, "finish({ reserve })");
    return finishMarked((within) => this.#draft(within), this.#options, options);
  }

  #draft(options: FinishOptions): Preview {
    const preview = this.#text.finish(options);
    if (!preview.truncated) return preview;
    const { source } = preview;
    const sample = concat(this.#sample, this.#sampled);
    const room = roomWithin(this.#options, options);
    const binary = describeBinary(sample, source.bytes, room);
    const answered = this.asked && preview.unanswered !== true;
    const opaque =
      binary === undefined && this.#mayBeOpaque(preview) ? this.#opaque?.describe(room, answered) : undefined;
    const selection = binary ?? opaque;
    if (selection === undefined) return preview;
    const inLine = this.#lastByte !== 10;
    const end = { line: source.lines + (inLine ? 0 : 1), byte: source.bytes, char: source.chars, inLine };
    // What bytes that are no text hold, a search for words cannot tell.
    const { unanswered: _, ...rest } = preview;
    const shape = binary === undefined ? "opaque" : "binary";
    return { ...rest, text: selection.text, ...accountFor(selection.pieces, end), shape };
  }

  #mayBeOpaque({ shape }: Preview): boolean {
    return shape !== "json" && shape !== "html" && shape !== "diff" && shape !== "grep";
  }
}

class PositionalAccumulator implements Accumulator {
  readonly #options: CompleteOptions;
  readonly #strategy: Exclude<Strategy, "smart">;
  readonly #window: Window;

  constructor(options: CompleteOptions, strategy: Exclude<Strategy, "smart">) {
    this.#options = options;
    this.#strategy = strategy;
    this.#window = new Window(options.limits);
  }

  get size(): Size {
    return this.#window.size;
  }

  get over(): boolean {
    return this.#window.over;
  }

  write(chunk: Uint8Array): void {
    this.#window.write(chunk);
  }

  finish(options: FinishOptions = {}): Preview {
    const source = this.#window.end();
    const strategy = this.#strategy;
    const { limits, countTokens = estimateTokens } = this.#options;
    const size = { lines: this.#window.size.lines, bytes: source.end.byte, chars: source.end.char };
    if (!this.#window.over) {
      const text = decode(source.head);
      if (size.chars <= limits.maxChars && (limits.maxTokens === Infinity || countTokens(text) <= limits.maxTokens)) {
        const all = makeSelection(text, [{ start: START, end: source.end, reason: "all", score: 0 }]);
        return { text, truncated: false, strategy, source: size, ...accountFor(all.pieces, source.end) };
      }
    }
    const markers = options.markers ?? "inside";
    const room = roomWithin(this.#options, options);
    const selection = selectWithin(room, (smaller) => selectByPosition(source, smaller, strategy, markers));
    const { pieces } = selection;
    const text = "marked" in selection ? (selection.marked ?? selection.text) : selection.text;
    return { text, truncated: true, strategy, source: size, ...accountFor(pieces, source.end) };
  }
}

/** How often less room is tried for the sake of quoted lines before nothing is shown. */
const ROUNDS = 8;
const NO_RESERVE: Reserve = { lines: 0, bytes: 0, chars: 0, tokens: 0 };

/**
 * Makes the preview out of drafts: markers get their mark, and what imitates them is quoted. Quoting takes room that
 * only a draft can tell; so one that holds imitations is made again with less.
 */
export function finishMarked(
  draftWithin: (options: FinishOptions) => Preview,
  options: CompleteOptions,
  { mark: digits = "", ...asked }: FinishOptions,
): Preview {
  if (digits === "" || asked.markers === "outside") {
    const draft = draftWithin(asked);
    return { ...draft, text: stamp(draft.text, undefined) };
  }
  let mark = chooseMark(digits, "");
  let reserve = { ...NO_RESERVE, ...asked.reserve };
  for (let round = 0; round < ROUNDS; round++) {
    const draft = draftWithin({ ...asked, mark, reserve });
    if (!draft.truncated) return draft;
    const text = quoteImitations(draft.text);
    const chosen = chooseMark(digits, text);
    const room = roomWithin(options, { ...asked, mark: chosen });
    if ((text === draft.text && chosen === mark) || asked.markers === "on_top" || fitsRoom(text, room))
      return { ...draft, text: stamp(text, chosen), mark: chosen };
    mark = chosen;
    reserve = add(reserve, excessOf(text, room));
  }
  const nothing = draftWithin({ ...asked, mark, reserve });
  const { lines: line, bytes: byte, chars: char } = nothing.source;
  return { ...nothing, text: "", mark, ...accountFor(NOTHING.pieces, { line, byte, char, inLine: true }) };
}

function excessOf(text: string, room: Room): Reserve {
  const over = (size: number, limit: number): number => (limit === Infinity ? 0 : Math.max(0, size - limit));
  return {
    lines: over(countLines(text), room.lines),
    bytes: over(byteLength(text), room.bytes),
    chars: over(text.length, room.chars),
    tokens: room.tokens === Infinity ? 0 : over(room.countTokens(text), room.tokens),
  };
}

function add(a: Reserve, b: Reserve): Reserve {
  return { lines: a.lines + b.lines, bytes: a.bytes + b.bytes, chars: a.chars + b.chars, tokens: a.tokens + b.tokens };
}
