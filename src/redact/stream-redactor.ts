import { stands } from "./byte-class.ts";
import type { Detector } from "./detector.ts";
import { FIND_BYTES, gramFinder } from "./gram-finder.ts";
import { GRAM_BYTES } from "./gram-set.ts";
import type { PatternFinder } from "./pattern-finder.ts";
import type { SecretNumbers } from "./secret-numbers.ts";
import type { Find, Rule, View } from "./types.ts";

/** A line is looked at this far on from a place; only so much is held back of one that does not end. */
export const WINDOW_BYTES = 16_384;
/** How far before a place a rule may look; no rule looks back over a newline. */
const LOOK_BACK = 128;
/** Bytes that join what was held back before it is looked at again, where no line ends in them. */
const JOIN_BYTES = 4096;
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

/**
 * Replaces the secrets in bytes that come in chunks. What comes out is the same however they are cut: a place is decided
 * on when its line, or enough of it, has come. Whole lines are held back only while a key that began in them may go on.
 */
export class StreamRedactor {
  /** How often each kind was replaced. */
  readonly counts = new Map<string, number>();
  readonly #options: StreamRedactorOptions;
  /** What could not be decided on yet, after as many decided bytes as a rule may look back on. */
  #held = new Uint8Array(0);
  #heldBytes = 0;
  /** Index of the first held byte that was not given out. */
  #heldFrom = 0;
  /** Held bytes are looked at again once there are so many. */
  #retryAt = 0;
  /** Index in the bytes looked at last before which nothing may be looked back on from where they are decided to. */
  #floor = 0;
  /** Where the part of a line begins that the user's patterns see next, from where the bytes are decided to. */
  #segmentAhead = 0;
  /** What the user's patterns found beyond where the bytes are decided to, from there. */
  #ownAhead: readonly Find[] = [];
  #out: Uint8Array[] = [];

  constructor(options: StreamRedactorOptions) {
    this.#options = options;
  }

  /** Takes a chunk and gives what can be given out by now; parts of the chunk itself may be among it. */
  write(chunk: Uint8Array): readonly Uint8Array[] {
    let at = 0;
    while (at < chunk.length && this.#heldBytes > 0) at = this.#join(chunk, at);
    if (at < chunk.length) {
      const done = this.#process({ bytes: chunk, floor: at === 0 ? 0 : this.#floor, end: chunk.length }, at, false);
      this.#hold(chunk, done);
    }
    return this.#take();
  }

  /** Gives the rest. */
  end(): readonly Uint8Array[] {
    const bytes = this.#held.subarray(0, this.#heldBytes);
    this.#process({ bytes, floor: 0, end: bytes.length }, this.#heldFrom, true);
    this.#heldBytes = 0;
    return this.#take();
  }

  #take(): readonly Uint8Array[] {
    const out = this.#out;
    this.#out = [];
    return out;
  }

  /** Adds the next line of a chunk, or a part of it, to what is held; gives how far the chunk is used up by that. */
  #join(chunk: Uint8Array, at: number): number {
    const newline = chunk.indexOf(NEWLINE, at);
    const most = Math.min(chunk.length, at + JOIN_BYTES);
    const lineEnds = newline !== -1 && newline < most;
    const to = lineEnds ? newline + 1 : most;
    const before = this.#heldBytes;
    this.#append(chunk.subarray(at, to));
    if (!lineEnds && this.#heldBytes < this.#retryAt) return to;
    const bytes = this.#held.subarray(0, this.#heldBytes);
    const done = this.#process({ bytes, floor: 0, end: bytes.length }, this.#heldFrom, false);
    const passed = done - before;
    if (passed >= 0 && (bytes[done - 1] === NEWLINE || this.#floor >= before)) {
      // From here on the chunk has all that a rule may look at.
      this.#heldBytes = 0;
      this.#floor = Math.max(at, at + this.#floor - before);
      return at + passed;
    }
    this.#keep(done);
    return to;
  }

  #append(bytes: Uint8Array): void {
    const needed = this.#heldBytes + bytes.length;
    if (needed > this.#held.length) {
      const larger = new Uint8Array(Math.max(needed, 2 * this.#held.length, JOIN_BYTES));
      larger.set(this.#held.subarray(0, this.#heldBytes));
      this.#held = larger;
    }
    this.#held.set(bytes, this.#heldBytes);
    this.#heldBytes = needed;
  }

  /** Of a chunk that was looked at, what may still be needed. */
  #hold(chunk: Uint8Array, done: number): void {
    this.#heldBytes = 0;
    if (done === chunk.length) return;
    this.#append(chunk.subarray(this.#floor));
    this.#heldFrom = done - this.#floor;
    this.#retryAt = this.#heldBytes + JOIN_BYTES;
  }

  /** The same for what was held already. */
  #keep(done: number): void {
    this.#held.copyWithin(0, this.#floor, this.#heldBytes);
    this.#heldBytes -= this.#floor;
    this.#heldFrom = done - this.#floor;
    this.#retryAt = this.#heldBytes + JOIN_BYTES;
  }

  /** Decides on the bytes from `from` on as far as that can be done, and gives how far that was. */
  #process(view: View, from: number, last: boolean): number {
    const pass = new Pass(view, from, last, this.#options, { segment: this.#segmentAhead, finds: this.#ownAhead });
    pass.run();
    // What is held moves when more joins it.
    const isHeld = view.bytes.buffer === this.#held.buffer;
    for (const part of pass.out) this.#out.push(isHeld ? part.slice() : part);
    for (const [kind, count] of pass.counts) this.counts.set(kind, (this.counts.get(kind) ?? 0) + count);
    this.#floor = pass.floor;
    this.#segmentAhead = pass.segmentAhead;
    this.#ownAhead = pass.ownAhead;
    return pass.done;
  }
}

/** What the user's patterns have seen already, counted from where the bytes are decided to. */
interface Ahead {
  readonly segment: number;
  readonly finds: readonly Find[];
}

/** One look through bytes, as far as they can be decided on. */
class Pass {
  readonly out: Uint8Array[] = [];
  readonly counts = new Map<string, number>();
  done = 0;
  floor = 0;
  segmentAhead = 0;
  ownAhead: readonly Find[] = [];
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
  readonly #ownFinds: Find[];
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
    this.#ownFinds = ahead.finds.map((find) => moved(find, from));
  }

  run(): void {
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
    this.#acceptOwn(this.#last ? Infinity : this.#holdFrom() - 1);
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
    const refined =
      rule.begins === undefined && rule.spansLines === undefined ? this.#options.detector.refine(view, find) : find;
    this.#acceptOwn(refined.start);
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
      this.#ownFinds.push(...patterns!.find(this.#bytes, start, end));
      this.#segmentStart = end;
    }
    return true;
  }

  #acceptOwn(before: number): void {
    while (this.#ownFinds.length > 0 && this.#ownFinds[0]!.start <= before) this.#accept(this.#ownFinds.shift()!);
  }

  /** Gives out what nothing later can change. */
  #conclude(): void {
    const limit = this.#last ? this.#end : Math.max(this.#given, this.#holdFrom());
    this.done = Math.min(limit, this.#end);
    if (this.done > this.#given) this.out.push(this.#bytes.subarray(this.#given, this.done));
    this.floor = Math.max(Math.min(this.#base, this.done), this.done - LOOK_BACK);
    this.segmentAhead = Math.max(0, this.#segmentStart - this.done);
    this.ownAhead = this.#ownFinds.map((find) => moved(find, -this.done));
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
