/** Bytes of a gram: every secret is looked for by four bytes that it cannot be without. */
export const GRAM_BYTES = 4;
const HASH_BITS = 16;
/** How far a hash is shifted to its place in the table. */
export const HASH_SHIFT = 32 - HASH_BITS;
export const HASH_ENTRIES = 1 << HASH_BITS;
export const HASH_FACTOR = 0x9e3779b1 | 0;
/** Makes upper and lower case of a letter the same; some other characters too, which only adds candidates. */
export const FOLD = 0x20202020;

/** Four sets of ASCII characters: a gram has one character of each, in order. */
export type GramPattern = readonly [string, string, string, string];

/** A set of grams as the tables that a finder needs. */
export interface GramSet {
  /**
   * For each byte of a gram two tables of 16 entries, by its lower and its upper half. An entry has a bit for each of
   * eight groups of grams; where all eight entries for four bytes share a bit, a gram of that group may stand.
   */
  readonly halves: Uint8Array;
  /** 1 at the hash of each gram. */
  readonly hashes: Uint8Array;
}

/** Four bytes as one number, letters in one case. */
export function foldGram(bytes: Uint8Array, at: number): number {
  const word = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
  return word | FOLD;
}

/** The place of a gram in the table of hashes. */
export function hashOf(gram: number): number {
  return Math.imul(gram, HASH_FACTOR) >>> HASH_SHIFT;
}

/** Every gram of a pattern, letters in one case, each once. */
export function gramsOf(pattern: GramPattern): ReadonlySet<number> {
  let grams = new Set([0]);
  pattern.forEach((set, at) => {
    const longer = new Set<number>();
    for (const gram of grams) for (const character of set) longer.add(gram | (character.charCodeAt(0) << (at * 8)));
    grams = longer;
  });
  return new Set([...grams].map((gram) => gram | FOLD));
}

/** One gram of each shape, to begin the groups with; each costs little because one byte of it is rare in texts. */
const SEEDS: readonly GramPattern[] = [
  ["n", "p", "m", "_"],
  ["p", "a", "t", "-"],
  ["h", "v", "s", "."],
  ["p", ":", "/", "/"],
  ["S", "G", ".", "a"],
  ["A", "K", "I", "A"],
  ["_", "k", "e", "y"],
  ["s", "e", "c", "r"],
];
const PASSES = 4;

/** Builds the tables; each pattern is moved, a few times over, to the group that then stands for the fewest texts more. */
export function createGramSet(patterns: readonly GramPattern[]): GramSet {
  const halves = new Uint8Array(GRAM_BYTES * 2 * 16);
  const hashes = new Uint8Array(HASH_ENTRIES);
  for (const pattern of patterns) for (const gram of gramsOf(pattern)) hashes[hashOf(gram)] = 1;
  const members = patterns.map(halfSets);
  const seeds = SEEDS.map(halfSets);
  const places = new Array<number>(members.length).fill(-1);
  const unite = (group: number, without: number): Uint32Array => {
    const union = new Uint32Array(GRAM_BYTES * 2);
    const own = places.flatMap((place, member) => (place === group && member !== without ? [members[member]!] : []));
    for (const sets of own.length === 0 ? [seeds[group]!] : own)
      for (let at = 0; at < union.length; at++) union[at] = union[at]! | sets[at]!;
    return union;
  };
  for (let pass = 0; pass < PASSES; pass++) {
    const groups = seeds.map((_, group) => unite(group, -1));
    members.forEach((sets, member) => {
      const place = places[member]!;
      if (place !== -1) groups[place] = unite(place, member);
      const growths = groups.map((group) => likelihood(group, sets) - likelihood(group));
      const best = growths.indexOf(Math.min(...growths));
      places[member] = best;
      groups[best] = groups[best]!.map((half, at) => half | sets[at]!);
    });
  }
  seeds.forEach((_, group) => {
    unite(group, -1).forEach((set, table) => {
      for (let half = 0; half < 16; half++) if ((set >>> half) & 1) halves[table * 16 + half]! |= 1 << group;
    });
  });
  return { halves, hashes };
}

/** For each table the halves, as bits, that the characters of a pattern have. */
function halfSets(pattern: GramPattern): Uint32Array {
  const sets = new Uint32Array(GRAM_BYTES * 2);
  pattern.forEach((set, at) => {
    for (const character of set) {
      const byte = character.charCodeAt(0);
      sets[at * 2]! |= 1 << (byte & 15);
      sets[at * 2 + 1]! |= 1 << (byte >> 4);
    }
  });
  return sets;
}

/** How often four bytes of a text fall into a group. */
function likelihood(group: Uint32Array, more?: Uint32Array): number {
  let product = 1;
  for (let at = 0; at < group.length; at += 2) {
    const lower = group[at]! | (more?.[at] ?? 0);
    const upper = group[at + 1]! | (more?.[at + 1] ?? 0);
    let sum = 0;
    for (let half = 0; half < 8; half++) {
      if (((upper >>> half) & 1) === 0) continue;
      for (let rest = lower; rest !== 0; rest &= rest - 1)
        sum += FREQUENCIES[half * 16 + 31 - Math.clz32(rest & -rest)]!;
    }
    product *= sum;
  }
  return product;
}

/** How often each ASCII character occurs in logs, in thousandths, roughly. */
const FREQUENCIES = (() => {
  const table = new Float64Array(128).fill(1);
  const set = (characters: string, thousandths: number) => {
    for (const character of characters) table[character.charCodeAt(0)] = thousandths;
  };
  set(" ", 96);
  set("etaosnrmi./", 38);
  set("clpdghu012-:", 17);
  set("vbfy345\n_", 9);
  set('kjwx6789"()[]=', 5);
  set("ABCDEFGHIKLMNOPRSTU,'#", 3);
  return table.map((thousandths) => thousandths / 1000);
})();
