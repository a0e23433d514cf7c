import type { Room } from "../../pieces.ts";
import { cutRow } from "./cut-row.ts";
import { type Candidate, type Row, textBytes } from "./row.ts";

const BRIDGE_CHARS = 40;
const USUAL_CHARS = 240;
const MARKER_CHARS = 42;
const MAX_MISSES = 200;

/** How a candidate stands in a pick. */
const LEFT = 0;
const TAKEN = 1;
const TAKEN_UNCUT = 2;

/** What was picked, in order of position. */
export interface Pick {
  readonly chosen: readonly Candidate[];
  /** True when nothing worth showing was left out, so that a larger room would change nothing. */
  readonly complete: boolean;
}

/**
 * Candidates ranked once, to be picked from in as many rounds as it takes. They are known by their place in the order
 * of positions, so that neighbours are found without a search.
 */
export class RowPicker {
  readonly #whole: readonly Candidate[];
  /** The same with long rows cut. */
  readonly #shown: readonly Candidate[];
  /** Places, best first; what is worth nothing has none. */
  readonly #ranking: readonly number[];
  /** 1 where the next candidate's row follows at once. */
  readonly #adjoining: Uint8Array;
  /** Place of the row that has to be shown above the candidate, or -1. */
  readonly #heading: Int32Array;

  /** Rows above `longest` bytes are cut. */
  constructor(candidates: readonly Candidate[], longest: number) {
    const whole = withHeadings(candidates).sort((a, b) => a.row.byte - b.row.byte);
    this.#whole = whole;
    this.#shown = whole.map((candidate) => withRow(candidate, cutRow(candidate.row, longest)));
    const keys = new Float64Array(whole.length);
    const ranking: number[] = [];
    this.#adjoining = new Uint8Array(whole.length);
    this.#heading = headingPlaces(whole);
    for (let place = 0; place < whole.length; place++) {
      const { row, value } = whole[place] as Candidate;
      if (value > 0) {
        keys[place] = value * lengthFactor(this.#shown[place]?.row ?? row);
        ranking.push(place);
      }
      this.#adjoining[place] = row.byte + row.bytes === whole[place + 1]?.row.byte ? 1 : 0;
    }
    this.#ranking = ranking.sort((a, b) => (keys[b] as number) - (keys[a] as number) || a - b);
  }

  get best(): Candidate | undefined {
    const place = this.#ranking[0] ?? -1;
    const above = this.#heading[place] ?? -1;
    return this.#shown[above < 0 ? place : above];
  }

  /** Takes rows best first until `share` of the room, counted by estimate, is full. */
  pick(room: Room, share: number, markerChars: number): Pick {
    const whole = this.#whole;
    const shown = this.#shown;
    const adjoining = this.#adjoining;
    const taken = new Uint8Array(whole.length);
    let chars = room.chars * share - markerChars;
    let bytes = room.bytes * share - markerChars - 4;
    let lines = room.lines - (markerChars > 0 ? 1 : 0);
    let tokens = room.tokens * share - (room.tokens === Infinity ? 0 : markerChars / 3);

    /** True when what is taken at a place reaches up to the next place. */
    const reachesNext = (place: number): boolean =>
      adjoining[place] === 1 &&
      (taken[place] === TAKEN_UNCUT || (taken[place] === TAKEN && shown[place] === whole[place]));

    const takeOne = (place: number, candidate: Candidate): boolean => {
      if (taken[place] !== LEFT) return true;
      const { row } = candidate;
      const uncut = candidate === whole[place];
      const meetsNext = uncut && adjoining[place] === 1 && taken[place + 1] !== LEFT;
      const gaps = 1 - (place > 0 && reachesNext(place - 1) ? 1 : 0) - (meetsNext ? 1 : 0);
      const markers = gaps * markerChars;
      const moreChars = row.text.length + 1 + markers;
      const moreBytes = textBytes(row) + 1 + markers + (markers > 0 ? 4 : 0);
      const moreLines = 1 + (markerChars > 0 ? gaps : 0);
      const moreTokens = room.tokens === Infinity ? 0 : room.countTokens(`${row.text}\n`) + markers / 3;
      if (moreChars > chars || moreBytes > bytes || moreLines > lines || moreTokens > tokens) return false;
      chars -= moreChars;
      bytes -= moreBytes;
      lines -= moreLines;
      tokens -= moreTokens;
      taken[place] = uncut && shown[place] !== candidate ? TAKEN_UNCUT : TAKEN;
      return true;
    };

    const take = (place: number, candidate: Candidate): boolean => {
      const above = this.#heading[place] as number;
      if (above < 0 || taken[above] !== LEFT) return takeOne(place, candidate);
      const before = [chars, bytes, lines, tokens] as const;
      if (takeOne(above, shown[above] as Candidate) && takeOne(place, candidate)) return true;
      taken[above] = LEFT;
      [chars, bytes, lines, tokens] = before;
      return false;
    };

    /** A short row between chosen ones costs no more than the marker that would stand there. */
    const bridge = (place: number): void => {
      const candidate = whole[place] as Candidate;
      if (candidate.row.text.length <= markerChars + BRIDGE_CHARS) take(place, candidate);
    };

    let misses = 0;
    for (const place of this.#ranking) {
      const candidate = shown[place] as Candidate;
      if (!take(place, candidate)) {
        if (++misses > MAX_MISSES) break;
        continue;
      }
      const uncut = candidate === whole[place];
      if (uncut && adjoining[place] === 1 && adjoining[place + 1] === 1 && taken[place + 2] !== LEFT) bridge(place + 1);
      if (place > 1 && adjoining[place - 1] === 1 && reachesNext(place - 2)) bridge(place - 1);
    }
    const chosen: Candidate[] = [];
    for (let place = 0; place < whole.length; place++) {
      if (taken[place] !== LEFT) chosen.push((taken[place] === TAKEN ? shown : whole)[place] as Candidate);
    }
    return { chosen, complete: misses === 0 };
  }
}

/** All candidates and the headings that they need. */
function withHeadings(candidates: readonly Candidate[]): Candidate[] {
  const needed = new Map(candidates.flatMap(({ heading }) => (heading === undefined ? [] : [[heading.byte, heading]])));
  for (const { row } of candidates) needed.delete(row.byte);
  const headings = [...needed.values()].map((row) => ({ row, value: 0, reason: "file" }));
  return [...candidates, ...headings];
}

/** For each candidate the place of its heading, or -1. */
function headingPlaces(candidates: readonly Candidate[]): Int32Array {
  const places = new Map<number, number>();
  return Int32Array.from(candidates, ({ row, heading }, place) => {
    places.set(row.byte, place);
    return heading === undefined ? -1 : (places.get(heading.byte) ?? -1);
  });
}

function withRow(candidate: Candidate, row: Row): Candidate {
  return row === candidate.row ? candidate : { ...candidate, row };
}

const KEPT_FACTORS = 1024;
const lengthFactors = new Float64Array(KEPT_FACTORS);

/** A long row must be worth the room that several short ones would fill. */
function lengthFactor(row: Row): number {
  const cost = row.text.length + MARKER_CHARS;
  if (cost >= KEPT_FACTORS) return factorOf(cost);
  if (lengthFactors[cost] === 0) lengthFactors[cost] = factorOf(cost);
  return lengthFactors[cost] as number;
}

function factorOf(cost: number): number {
  return (USUAL_CHARS / cost) ** (cost > USUAL_CHARS ? 0.2 : 0.1);
}
