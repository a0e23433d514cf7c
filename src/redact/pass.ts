import { beginnings, beginsEscape, CleanText, partLength } from "./clean-text.ts";
import type { Detector, Place } from "./detector.ts";
import { FIND_BYTES, gramFinder } from "./gram-finder.ts";
import { foldGram, foldText, GRAM_BYTES, hasHash } from "./gram-set.ts";
import type { PatternFinder } from "./pattern-finder.ts";
import type { Find, Rule } from "./rule.ts";
import type { SecretNumbers } from "./secret-numbers.ts";

/** A line is looked at this far on from a place; only so much is held back of one that does not end. */
const WINDOW_CHARACTERS = 16_384;
/** How far before a place a rule may look; no rule looks back over a newline. */
const LOOK_BACK = 128;

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

/** Bytes to look at: what is decided on already from `floor` on, and the rest from `from` on. */
export interface PassInput {
  readonly bytes: Uint8Array;
  readonly floor: number;
  readonly from: number;
  /** True when nothing comes after the bytes. */
  readonly last: boolean;
  /** What the user's patterns have seen already, counted from `from`. */
  readonly segmentAhead: number;
  readonly findsAhead: readonly Find[];
}

/** One look through bytes, as far as they can be decided on. Inside, places are those of the clean text. */
export class Pass {
  readonly out: Uint8Array[] = [];
  readonly counts = new Map<string, number>();
  /** Where the bytes are decided to, and where a rule may look back to from there. */
  done = 0;
  floor = 0;
  segmentAhead = 0;
  findsAhead: readonly Find[] = [];
  readonly #input: PassInput;
  readonly #options: StreamRedactorOptions;
  #bytes: Uint8Array;
  #text: string;
  /** Set when the text differs from the bytes. */
  #clean: CleanText | undefined;
  /** How many characters can be looked at. */
  #end = 0;
  /** Nothing before it is looked back on: the start of the bytes, or the end of the last secret. */
  #base = 0;
  /** Up to here everything was given out. */
  #given = 0;
  /** The same in the bytes, where what follows a secret without being part of the text may begin earlier. */
  #givenByte: number;
  /** The first place that cannot be decided on yet. */
  #blocked = -1;
  #segmentStart = 0;
  #ahead: Find[] = [];
  /** The end of the line that was looked at last, and whether it has come. */
  #lineEnd = -1;
  #lineKnown = false;
  /** Of each required character, where it stands next after the place that asked last. */
  readonly #nextPlaces = new Map<string, number>();

  constructor(input: PassInput, options: StreamRedactorOptions) {
    this.#input = input;
    this.#options = options;
    this.#bytes = input.bytes.subarray(input.floor);
    this.#text = latin1(this.#bytes);
    this.#givenByte = input.from;
  }

  run(): void {
    const { patterns } = this.#options;
    search: for (const { at, rules } of this.#prepare()) {
      if (at < this.#given || at + GRAM_BYTES > this.#end) continue;
      for (const { rule, offset } of rules) {
        if (!this.#decide(rule, at, at - offset)) {
          this.#blocked = at;
          break search;
        }
        if (this.#given > at) break;
      }
    }
    if (patterns !== undefined) this.#searchOwn(this.#blocked === -1 ? this.#end : this.#blocked);
    // A rule that cannot be decided on yet may begin before what a pattern found, and then it comes first.
    this.#acceptAhead(this.#input.last ? Infinity : this.#holdFrom() - 1);
    this.#conclude();
  }

  /** Sets up the text, and gives the places of grams in it. */
  #prepare(): readonly FoundPlace[] {
    const { last, from, floor, segmentAhead, findsAhead } = this.#input;
    const { detector, patterns } = this.#options;
    let { places, escapes } = findPlaces(detector, this.#bytes);
    // The last bytes are too few for a gram.
    const rest = Math.max(0, this.#text.length - GRAM_BYTES + 1);
    for (const at of beginnings(this.#text.slice(rest))) escapes.push(rest + at);
    if (escapes.length > 0) {
      this.#clean = new CleanText(this.#text, escapes);
      this.#text = this.#clean.text;
      if (patterns !== undefined) this.#bytes = Buffer.from(this.#text, "latin1");
      places = this.#clean.movePlaces(places, (at) => placeIn(detector, this.#text, at));
    }
    this.#end = this.#text.length - (last ? 0 : partLength(this.#text));
    this.#given = this.#characterAt(from - floor);
    this.#segmentStart = this.#characterAt(from - floor + segmentAhead);
    this.#ahead = findsAhead.map(({ kind, start, end }) => ({
      kind,
      start: this.#characterAt(from - floor + start),
      end: this.#characterAt(from - floor + end),
    }));
    return places;
  }

  /** The first character that stands at a byte, counted from the floor, or after it. */
  #characterAt(byte: number): number {
    return this.#clean?.characterAt(byte) ?? byte;
  }

  #byteAt(character: number): number {
    return this.#input.floor + (this.#clean?.startOf(character) ?? character);
  }

  /** Where the bytes of the character before end. */
  #byteAfter(character: number): number {
    return this.#input.floor + (this.#clean?.endOf(character - 1) ?? character);
  }

  /** Asks a rule about a place; false when too little has come to know. */
  #decide(rule: Rule, gram: number, at: number): boolean {
    const floor = Math.max(this.#base, gram - LOOK_BACK);
    if (at < floor) return true;
    const { begins } = rule;
    if (begins !== undefined && at + begins.length <= this.#end && !this.#text.startsWith(begins, at)) return true;
    const end = this.#textEnd(rule, floor, gram, at);
    if (end === undefined) return false;
    if (rule.required !== undefined && this.#next(rule.required, at) >= end) return true;
    if (this.#options.patterns !== undefined && !this.#searchOwn(gram + 1)) return false;
    const text = this.#text.slice(floor, end);
    const found = rule.match(text, at - floor);
    if (found === undefined) return true;
    const refined = moved(begins === undefined ? this.#options.detector.refine(text, found) : found, floor);
    if (rule.spansLines !== undefined && refined.start > gram) {
      // Other secrets may stand before it.
      this.#expect(refined);
      return true;
    }
    this.#acceptAhead(refined.start);
    this.#accept(refined);
    return true;
  }

  /** Where a character stands next. */
  #next(character: string, at: number): number {
    let next = this.#nextPlaces.get(character) ?? -1;
    if (next < at) {
      next = this.#text.indexOf(character, at);
      if (next === -1) next = Number.POSITIVE_INFINITY;
      this.#nextPlaces.set(character, next);
    }
    return next;
  }

  /** How far a rule may look; undefined when that is not known yet. */
  #textEnd(rule: Rule, floor: number, gram: number, at: number): number | undefined {
    const { last } = this.#input;
    if (rule.spansLines !== undefined) {
      const { most, mayGrow } = rule.spansLines;
      const end = Math.min(this.#end, at + most);
      return last || end - at >= most || !mayGrow(this.#text.slice(floor, end), at - floor) ? end : undefined;
    }
    if (gram >= this.#lineEnd) {
      const newline = this.#text.indexOf("\n", gram);
      this.#lineKnown = newline !== -1 && newline < this.#end;
      this.#lineEnd = this.#lineKnown ? newline : this.#end;
    }
    const end = Math.min(this.#lineEnd, gram + WINDOW_CHARACTERS);
    return last || this.#lineKnown || end - gram >= WINDOW_CHARACTERS ? end : undefined;
  }

  #accept(find: Find): void {
    if (find.start < this.#given) return;
    const [start, end] = [this.#byteAt(find.start), this.#byteAfter(find.end)];
    const secret = decoder.decode(this.#input.bytes.subarray(start, end));
    if (this.#options.isAllowed?.(secret)) return;
    if (start > this.#givenByte) this.out.push(this.#input.bytes.subarray(this.#givenByte, start));
    this.out.push(encoder.encode(this.#options.numbers.placeholderOf(find.kind, secret)));
    this.counts.set(find.kind, (this.counts.get(find.kind) ?? 0) + 1);
    this.#given = find.end;
    this.#givenByte = end;
    this.#base = find.end;
  }

  /** Looks for the user's patterns in every line, or part of a long one, that begins before `to`; false when one is not whole. */
  #searchOwn(to: number): boolean {
    const { patterns } = this.#options;
    while (this.#segmentStart < to) {
      const start = Math.max(this.#segmentStart, this.#given);
      const newline = this.#text.indexOf("\n", start);
      const known = newline !== -1 && newline < this.#end;
      const end = Math.min(known ? newline + 1 : this.#end, start + WINDOW_CHARACTERS);
      if (!known && !this.#input.last && end - start < WINDOW_CHARACTERS) return false;
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
    const limit = this.#input.last ? this.#end : Math.max(this.#given, this.#holdFrom());
    const done = Math.min(limit, this.#end);
    this.done = Math.max(this.#givenByte, this.#byteAt(done));
    if (this.done > this.#givenByte) this.out.push(this.#input.bytes.subarray(this.#givenByte, this.done));
    this.floor = Math.min(this.done, this.#byteAt(Math.max(Math.min(this.#base, done), done - LOOK_BACK)));
    this.segmentAhead = Math.max(0, this.#byteAt(this.#segmentStart) - this.done);
    this.findsAhead = this.#ahead.map(({ kind, start, end }) => ({
      kind,
      start: this.#byteAt(start) - this.done,
      end: this.#byteAfter(end) - this.done,
    }));
  }

  #holdFrom(): number {
    const undecided = this.#blocked === -1 ? this.#end - (GRAM_BYTES - 1) : this.#blocked;
    const newline =
      undecided > 0 ? this.#text.lastIndexOf("\n", this.#blocked === -1 ? this.#end - 1 : undecided - 1) : -1;
    const hold = Math.max(undecided - LOOK_BACK, newline + 1);
    return this.#options.patterns === undefined ? hold : Math.min(hold, this.#segmentStart);
  }
}

/** Where a gram stands, and the rules to ask there. */
interface FoundPlace {
  readonly at: number;
  readonly rules: readonly Place[];
}

const ESCAPE = 0x1b;

/** Where grams of rules stand, and where a word may be hidden by how it is spelled; both in order. */
function findPlaces(detector: Detector, bytes: Uint8Array): { places: FoundPlace[]; escapes: number[] } {
  const finder = gramFinder();
  const places: FoundPlace[] = [];
  const escapes: number[] = [];
  for (let block = 0; block < bytes.length; block += FIND_BYTES - (GRAM_BYTES - 1)) {
    const count = finder.find(detector.grams, bytes, block, Math.min(bytes.length, block + FIND_BYTES));
    for (let index = 0; index < count; index++) {
      const at = block + finder.finds[index]!;
      const byte = bytes[at]!;
      if (beginsEscape(byte)) escapes.push(at);
      const rules = byte === ESCAPE ? undefined : detector.placesOf(foldGram(bytes, at));
      if (rules !== undefined) places.push({ at, rules });
    }
  }
  return { places, escapes };
}

function placeIn(detector: Detector, text: string, at: number): FoundPlace | undefined {
  if (at + GRAM_BYTES > text.length) return undefined;
  const gram = foldText(text, at);
  const rules = hasHash(detector.grams.hashes, gram) ? detector.placesOf(gram) : undefined;
  return rules && { at, rules };
}

function latin1({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("latin1");
}

function moved(find: Find, by: number): Find {
  return { ...find, start: find.start + by, end: find.end + by };
}
