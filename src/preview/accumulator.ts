import type { Strategy } from "../limits/types.ts";
import { accountFor, makeSelection, type Room, START } from "./pieces.ts";
import { selectByPosition, selectWithin } from "./positional.ts";
import { decode } from "./raw-lines.ts";
import { createSmartAccumulator } from "./smart/index.ts";
import { estimateTokens } from "./tokens.ts";
import type { Accumulator, AccumulatorOptions, FinishOptions, Preview, Size } from "./types.ts";
import { Window } from "./window.ts";

/** An accumulator for any strategy. */
export function createAccumulator(options: AccumulatorOptions): Accumulator {
  return options.strategy === "smart"
    ? createSmartAccumulator(options)
    : new PositionalAccumulator(options, options.strategy);
}

class PositionalAccumulator implements Accumulator {
  readonly #options: AccumulatorOptions;
  readonly #strategy: Exclude<Strategy, "smart">;
  readonly #window: Window;

  constructor(options: AccumulatorOptions, strategy: Exclude<Strategy, "smart">) {
    this.#options = options;
    this.#strategy = strategy;
    this.#window = new Window(options.limits, options.countTokens !== undefined);
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
    const { limits, countTokens } = this.#options;
    const size = { lines: this.#window.size.lines, bytes: source.end.byte, chars: source.end.char };
    if (!this.#window.over) {
      const text = decode(source.head);
      if (
        size.chars <= limits.maxChars &&
        (countTokens === undefined || limits.maxTokens === Infinity || countTokens(text) <= limits.maxTokens)
      ) {
        const all = makeSelection(text, [{ start: START, end: source.end, reason: "all", score: 0 }]);
        return { text, truncated: false, strategy, source: size, ...accountFor(all.pieces, source.end) };
      }
    }
    const markers = options.markers ?? "inside";
    const room = roomWithin(this.#options, options);
    const { text, pieces } = selectWithin(room, (smaller) => selectByPosition(source, smaller, strategy, markers));
    return { text, truncated: true, strategy, source: size, ...accountFor(pieces, source.end) };
  }
}

/** The limits as a room, with what the caller keeps free taken off. */
export function roomWithin(options: AccumulatorOptions, { reserve, markers }: FinishOptions): Room {
  const { limits } = options;
  return {
    lines: Math.max(0, limits.maxLines - (reserve?.lines ?? 0)),
    bytes: Math.max(0, limits.maxBytes - (reserve?.bytes ?? 0)),
    chars: Math.max(0, limits.maxChars - (reserve?.chars ?? 0)),
    tokens: Math.max(0, limits.maxTokens - (reserve?.tokens ?? 0)),
    countTokens: options.countTokens ?? estimateTokens,
    ...(markers === "outside" ? { linesOnly: true } : {}),
  };
}
