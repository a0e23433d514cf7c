import { FREQUENCIES, type GramPattern } from "./rule.ts";

/** Bytes of a gram: every secret is looked for by four bytes that it cannot be without. */
export const GRAM_BYTES = 4;
const BYTE_BITS = 16;
/** How far a hash is shifted to its byte in the table, and to its bit in the byte. */
export const HASH_SHIFT = 32 - BYTE_BITS;
export const BIT_SHIFT = HASH_SHIFT - 3;
export const HASH_BYTES = 1 << BYTE_BITS;
export const HASH_FACTOR = 0x9e3779b1 | 0;
/** Makes upper and lower case of a letter the same; some other characters too, which only adds candidates. */
export const FOLD = 0x20202020;

/** A set of grams as the tables that a finder needs. */
export interface GramSet {
  /**
   * For each byte of a gram two tables of 16 entries, by its lower and its upper half. An entry has a bit for each of
   * eight groups of grams; where all eight entries for four bytes share a bit, a gram of that group may stand.
   */
  readonly halves: Uint8Array;
  /** One bit at the hash of each gram. */
  readonly hashes: Uint8Array;
}

/** Four bytes as one number, letters in one case. */
export function foldGram(bytes: Uint8Array, at: number): number {
  const word = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
  return word | FOLD;
}

/** The same for characters that stand for bytes. */
export function foldText(text: string, at: number): number {
  const low = text.charCodeAt(at) | (text.charCodeAt(at + 1) << 8);
  return low | (text.charCodeAt(at + 2) << 16) | (text.charCodeAt(at + 3) << 24) | FOLD;
}

/** True when the table has the gram's bit. */
export function hasHash(hashes: Uint8Array, gram: number): boolean {
  const hash = Math.imul(gram, HASH_FACTOR);
  return ((hashes[hash >>> HASH_SHIFT]! >> ((hash >>> BIT_SHIFT) & 7)) & 1) === 1;
}

function addHash(hashes: Uint8Array, gram: number): void {
  const hash = Math.imul(gram, HASH_FACTOR);
  hashes[hash >>> HASH_SHIFT]! |= 1 << ((hash >>> BIT_SHIFT) & 7);
}

/** Every gram of a pattern, letters in one case, each once. */
export function gramsOf(pattern: GramPattern): ReadonlySet<number> {
  let grams = [0];
  pattern.forEach((set, at) => {
    const folded = [...new Set([...set].map((character) => character.charCodeAt(0) | (FOLD & 0xff)))];
    grams = folded.flatMap((code) => grams.map((gram) => gram | (code << (at * 8))));
  });
  return new Set(grams);
}

/** One gram of each shape, to begin the groups with; each costs little because one byte of it is rare in texts. */
const SEEDS: readonly GramPattern[] = [
  ["n", "p", "m", "_"],
  ["p", "a", "t", "-"],
  ["h", "v", "s", "."],
  ["p", ":", "/", "/"],
  ["Z", "2", "h", "w"],
  ["A", "K", "I", "A"],
  ["_", "k", "e", "y"],
  ["s", "e", "c", "r"],
];
const PASSES = 4;

/** Builds the tables; each pattern is moved, a few times over, to the group that then stands for the fewest texts more. */
export function createGramSet(patterns: readonly GramPattern[]): GramSet {
  const hashes = new Uint8Array(HASH_BYTES);
  for (const pattern of patterns) for (const gram of gramsOf(pattern)) addHash(hashes, gram);
  const members = [...new Map(patterns.map((pattern) => [pattern.join("\0"), halfSets(pattern)])).values()];
  const seeds = SEEDS.map(halfSets);
  const groups = seeds.map((seed) => new Group(seed));
  const homes = new Array<Group | undefined>(members.length);
  for (let pass = 0; pass < PASSES; pass++) {
    members.forEach((sets, member) => {
      homes[member]?.remove(sets);
      const growths = groups.map((group) => group.growthWith(sets));
      const best = groups[growths.indexOf(Math.min(...growths))]!;
      best.add(sets);
      homes[member] = best;
    });
    if (pass === 0) for (const [index, group] of groups.entries()) group.remove(seeds[index]!);
  }
  const halves = new Uint8Array(TABLES * 16);
  groups.forEach((group, index) => {
    group.union.forEach((set, table) => {
      for (let half = 0; half < 16; half++) if ((set >>> half) & 1) halves[table * 16 + half]! |= 1 << index;
    });
  });
  return { halves, hashes };
}

const TABLES = GRAM_BYTES * 2;

/** Patterns that share a bit in the tables. */
class Group {
  /** The halves of all of them. */
  readonly union = new Uint32Array(TABLES);
  /** How many have each half, so that one can be taken out again. */
  readonly #counts = new Uint16Array(TABLES * 16);
  #likelihood = 0;

  constructor(seed: Uint32Array) {
    this.add(seed);
  }

  /** How many more texts it stands for when the pattern is added. */
  growthWith(sets: Uint32Array): number {
    return likelihood(this.union, sets) - this.#likelihood;
  }

  add(sets: Uint32Array): void {
    this.#count(sets, 1);
  }

  remove(sets: Uint32Array): void {
    this.#count(sets, -1);
  }

  #count(sets: Uint32Array, by: number): void {
    this.union.fill(0);
    for (let table = 0; table < TABLES; table++) {
      for (let half = 0; half < 16; half++) {
        const at = table * 16 + half;
        if ((sets[table]! >>> half) & 1) this.#counts[at]! += by;
        if (this.#counts[at]! > 0) this.union[table]! |= 1 << half;
      }
    }
    this.#likelihood = likelihood(this.union, this.union);
  }
}

/** For each table the halves, as bits, that the characters of a pattern have. */
function halfSets(pattern: GramPattern): Uint32Array {
  const sets = new Uint32Array(TABLES);
  pattern.forEach((set, at) => {
    for (const character of set) {
      const byte = character.charCodeAt(0);
      sets[at * 2]! |= 1 << (byte & 15);
      sets[at * 2 + 1]! |= 1 << (byte >> 4);
    }
  });
  return sets;
}

/** How often four bytes of a text fall into two groups taken together. */
function likelihood(group: Uint32Array, more: Uint32Array): number {
  let product = 1;
  for (let at = 0; at < TABLES; at += 2) {
    const lower = group[at]! | more[at]!;
    const upper = group[at + 1]! | more[at + 1]!;
    let sum = 0;
    for (let half = 0; half < 16; half++) {
      if (((upper >>> half) & 1) === 0) continue;
      sum += SUMS[half * 512 + (lower & 255)]! + SUMS[half * 512 + 256 + (lower >>> 8)]!;
    }
    product *= sum;
  }
  return product;
}

/** For each upper half, and each set of the first and of the last eight lower halves, how often characters of it occur. */
const SUMS = (() => {
  const sums = new Float64Array(16 * 512);
  for (let at = 0; at < sums.length; at++) {
    const set = at & 255;
    const lowest = set & -set;
    if (set === 0) continue;
    const character = (at >> 9) * 16 + ((at >> 8) & 1) * 8 + (31 - Math.clz32(lowest));
    sums[at] = sums[at - lowest]! + FREQUENCIES[character]!;
  }
  return sums;
})();
