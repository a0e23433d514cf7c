import { forgetRuns, stands } from "./byte-class.ts";
import type { Detector } from "./detector.ts";
import { FIND_BYTES, gramFinder } from "./gram-finder.ts";
import { GRAM_BYTES } from "./gram-set.ts";
import type { PatternFinder } from "./pattern-finder.ts";
import type { SecretNumbers } from "./secret-numbers.ts";
import type { Find, Rule, View } from "./types.ts";

/** A line is looked at this far on from a place; only so much is held back of one that does not end. */
const WINDOW_BYTES = 16_384;
/** How far before a place a rule may look; no rule looks back over a newline. */
const LOOK_BACK = 128;
const NEWLINE = 10;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export interface StreamRedactorOptions {
  readonly detector: Detector;
  readonly numbers: SecretNumbers;
  /** The user's own patterns. */
  readonly patterns?: PatternFinder | undefined;
  /** True for a text that is no secret whatever it looks like. */
  readonly isAllowed?: ((secret: string) => boolean) | undefined;
}

/** What the user's patterns have seen already, counted from where the bytes are decided to. */
interface Ahead {
  readonly segment: number;
  readonly finds: readonly Find[];
}

/** One look through bytes, as far as they can be decided on. */
export class Pass {
  readonly out: Uint8Array[] = [];
  readonly counts = new Map<string, number>();
  done = 0;
  floor = 0;
  segmentAhead = 0;
  findsAhead: readonly Find[] = [];
  readonly #bytes: Uint8Array;
  readonly #end: number;
  readonly #last: boolean;
  readonly #options: StreamRedactorOptions;
  /** Nothing before it is looked back on: the start of the bytes, or the end of the last secret. */
  #base: number;
  /** Up to here everything was given out. */
  #given: number;
  /** The first place that cannot be decided on yet. */
  #blocked = -1;
  #segmentStart: number;
  readonly #ahead: Find[];
  /** The end of the line that was looked at last, and whether it has come. */
  #lineEnd = -1;
  #lineKnown = false;

  constructor(view: View, from: number, last: boolean, options: StreamRedactorOptions, ahead: Ahead) {
    this.#bytes = view.bytes;
    this.#base = view.floor;
    this.#end = view.end;
    this.#given = from;
    this.#last = last;
    this.#options = options;
    this.#segmentStart = from + ahead.segment;
    this.#ahead = ahead.finds.map((find) => moved(find, from));
  }

  run(): void {
    forgetRuns();
    const finder = gramFinder();
    const { detector, patterns } = this.#options;
    const step = FIND_BYTES - (GRAM_BYTES - 1);
    search: for (let block = this.#given; block < this.#end; block += step) {
      const count = finder.find(detector.grams, this.#bytes, block, Math.min(this.#end, block + FIND_BYTES));
      for (let index = 0; index < count; index++) {
        const at = block + finder.finds[index]!;
        if (at < this.#given || at + GRAM_BYTES > this.#end) continue;
        for (const { rule, offset } of detector.placesAt(this.#bytes, at)) {
          if (!this.#decide(rule, at, at - offset)) {
            this.#blocked = at;
            break search;
          }
          if (this.#given > at) break;
        }
      }
    }
    if (patterns !== undefined) this.#searchOwn(this.#blocked === -1 ? this.#end : this.#blocked);
    // A rule that cannot be decided on yet may begin before what a pattern found, and then it comes first.
    this.#acceptAhead(this.#last ? Infinity : this.#holdFrom() - 1);
    this.#conclude();
  }

  /** Asks a rule about a place; false when too little has come to know. */
  #decide(rule: Rule, gram: number, at: number): boolean {
    const floor = Math.max(this.#base, gram - LOOK_BACK);
    if (at < floor) return true;
    const { begins } = rule;
    if (begins !== undefined && at + begins.length <= this.#end && !stands(this.#bytes, at, begins)) return true;
    const end = this.#viewEnd(rule, floor, gram, at);
    if (end === undefined) return false;
    if (this.#options.patterns !== undefined && !this.#searchOwn(gram + 1)) return false;
    const view = { bytes: this.#bytes, floor, end };
    const find = rule.match(view, at);
    if (find === undefined) return true;
    const refined = rule.begins === undefined ? this.#options.detector.refine(view, find) : find;
    if (rule.spansLines !== undefined && refined.start > gram) {
      // Other secrets may stand before it.
      this.#expect(refined);
      return true;
    }
    this.#acceptAhead(refined.start);
    this.#accept(refined);
    return true;
  }

  /** How far a rule may look; undefined when that is not known yet. */
  #viewEnd(rule: Rule, floor: number, gram: number, at: number): number | undefined {
    if (rule.spansLines !== undefined) {
      const { most, mayGrow } = rule.spansLines;
      const end = Math.min(this.#end, at + most);
      const view = { bytes: this.#bytes, floor, end };
      return this.#last || end - at >= most || !mayGrow(view, at) ? end : undefined;
    }
    if (gram >= this.#lineEnd) {
      const newline = this.#bytes.indexOf(NEWLINE, gram);
      this.#lineKnown = newline !== -1 && newline < this.#end;
      this.#lineEnd = this.#lineKnown ? newline : this.#end;
    }
    const end = Math.min(this.#lineEnd, gram + WINDOW_BYTES);
    return this.#last || this.#lineKnown || end - gram >= WINDOW_BYTES ? end : undefined;
  }

  #accept(find: Find): void {
    if (find.start < this.#given) return;
    const secret = decoder.decode(this.#bytes.subarray(find.start, find.end));
    if (this.#options.isAllowed?.(secret)) return;
    if (find.start > this.#given) this.out.push(this.#bytes.subarray(this.#given, find.start));
    this.out.push(encoder.encode(this.#options.numbers.placeholderOf(find.kind, secret)));
    this.counts.set(find.kind, (this.counts.get(find.kind) ?? 0) + 1);
    this.#given = find.end;
    this.#base = find.end;
  }

  /** Looks for the user's patterns in every line, or part of a long one, that begins before `to`; false when one is not whole. */
  #searchOwn(to: number): boolean {
    const { patterns } = this.#options;
    while (this.#segmentStart < to) {
      const start = Math.max(this.#segmentStart, this.#given);
      const newline = this.#bytes.indexOf(NEWLINE, start);
      const known = newline !== -1 && newline < this.#end;
      const end = Math.min(known ? newline + 1 : this.#end, start + WINDOW_BYTES);
      if (!known && !this.#last && end - start < WINDOW_BYTES) return false;
      for (const find of patterns!.find(this.#bytes, start, end)) this.#expect(find);
      this.#segmentStart = end;
    }
    return true;
  }

  #expect(find: Find): void {
    const after = this.#ahead.findIndex(({ start }) => start > find.start);
    this.#ahead.splice(after === -1 ? this.#ahead.length : after, 0, find);
  }

  #acceptAhead(before: number): void {
    while (this.#ahead.length > 0 && this.#ahead[0]!.start <= before) this.#accept(this.#ahead.shift()!);
  }

  /** Gives out what nothing later can change. */
  #conclude(): void {
    const limit = this.#last ? this.#end : Math.max(this.#given, this.#holdFrom());
    this.done = Math.min(limit, this.#end);
    if (this.done > this.#given) this.out.push(this.#bytes.subarray(this.#given, this.done));
    this.floor = Math.max(Math.min(this.#base, this.done), this.done - LOOK_BACK);
    this.segmentAhead = Math.max(0, this.#segmentStart - this.done);
    this.findsAhead = this.#ahead.map((find) => moved(find, -this.done));
  }

  #holdFrom(): number {
    const undecided = this.#blocked === -1 ? this.#end - (GRAM_BYTES - 1) : this.#blocked;
    const newline =
      undecided > 0 ? this.#bytes.lastIndexOf(NEWLINE, this.#blocked === -1 ? this.#end - 1 : undecided - 1) : -1;
    const hold = Math.max(undecided - LOOK_BACK, newline + 1);
    return this.#options.patterns === undefined ? hold : Math.min(hold, this.#segmentStart);
  }
}

function moved(find: Find, by: number): Find {
  return { ...find, start: find.start + by, end: find.end + by };
}
