import {
  add,
  advance,
  and,
  andBytes,
  andEachByte,
  areByte,
  type Code,
  constant,
  countZerosBelow,
  get,
  highestBits,
  I32,
  isLess,
  load,
  load8,
  load16Bytes,
  lookUp16Bytes,
  multiply,
  or,
  PAGE_BYTES,
  type RunModule,
  type Running,
  repeatWhile,
  set,
  shiftBytesRight,
  shiftRight,
  shiftRightBy,
  start,
  store,
  subtract,
  tee,
  V128,
  when,
} from "../bytes/webassembly.ts";
import {
  BIT_SHIFT,
  FOLD,
  foldGram,
  GRAM_BYTES,
  type GramSet,
  HASH_BYTES,
  HASH_FACTOR,
  HASH_SHIFT,
  hasHash,
} from "./gram-set.ts";

/** Bytes that are looked through at once, at most. */
export const FIND_BYTES = 65_536;
const STEP = 16;
/** Zeros after the bytes, so that the last step may read beyond them; no gram has a zero. */
const PADDING = 2 * STEP;

/** Where things stand in memory: the tables of a set, the bytes, what was found. */
const HALVES_AT = 0;
const TABLES = GRAM_BYTES * 2;
const HASHES_AT = HALVES_AT + TABLES * STEP;
const BYTES_AT = HASHES_AT + HASH_BYTES;
const FINDS_AT = BYTES_AT + FIND_BYTES + PADDING;

const FROM = 0;
const TO = 1;
const AT = 2;
const OUT = 3;
const CANDIDATES = 4;
const PLACE = 5;
const HASH = 6;
const FIRST_TABLE = 7;
const BYTES = FIRST_TABLE + TABLES;

const LANES = (1 << STEP) - 1;

/** The groups that the bytes `offset` after each of 16 places allow. */
function groupsAt(offset: number): Code {
  const lower = FIRST_TABLE + offset * 2;
  return andBytes(
    lookUp16Bytes(get(lower), andEachByte(tee(BYTES, load16Bytes(get(AT), offset)), 0x0f)),
    lookUp16Bytes(get(lower + 1), shiftBytesRight(get(BYTES), 4)),
  );
}

const groups = [0, 1, 2, 3].map(groupsAt).reduce(andBytes);
const gramHash = multiply(or(load(get(PLACE)), constant(FOLD)), constant(HASH_FACTOR));
const hasGram = and(
  shiftRightBy(
    load8(shiftRight(tee(HASH, gramHash), HASH_SHIFT), HASHES_AT),
    and(shiftRight(get(HASH), BIT_SHIFT), constant(7)),
  ),
  constant(1),
);

/** Sixteen places at a time by their groups, then those that are left one by one by their hash. */
const BODY: Code = [
  ...Array.from({ length: TABLES }, (_, table) =>
    set(FIRST_TABLE + table, load16Bytes(constant(HALVES_AT + table * STEP))),
  ).flat(),
  ...set(OUT, constant(FINDS_AT)),
  ...set(AT, get(FROM)),
  ...repeatWhile(isLess(get(AT), get(TO)), [
    ...set(CANDIDATES, subtract(constant(LANES), highestBits(areByte(groups, 0)))),
    ...repeatWhile(get(CANDIDATES), [
      ...set(PLACE, add(get(AT), countZerosBelow(get(CANDIDATES)))),
      ...when(hasGram, [...store(get(OUT), subtract(get(PLACE), get(FROM))), ...advance(OUT, constant(4))]),
      ...set(CANDIDATES, and(get(CANDIDATES), subtract(get(CANDIDATES), constant(1)))),
    ]),
    ...advance(AT, constant(STEP)),
  ]),
  ...shiftRight(subtract(get(OUT), constant(FINDS_AT)), 2),
];

/** Called with the addresses of the first byte and after the last, it gives how many grams there may be. */
const FINDER: RunModule = {
  parameters: 2,
  locals: [I32, I32, I32, I32, I32, ...Array.from({ length: TABLES + 1 }, () => V128)],
  body: BODY,
  pages: Math.ceil((FINDS_AT + 4 * FIND_BYTES) / PAGE_BYTES),
};

/** Finds where one of a set's grams may begin: no place is missed, and few are named for nothing. */
export interface GramFinder {
  /** Where they begin, relative to `from`, in order; valid until the next search. */
  readonly finds: Uint32Array;
  /**
   * Looks for grams that stand whole between `from` and `to`, at most `FIND_BYTES` apart, and gives how many there are.
   */
  find(set: GramSet, bytes: Uint8Array, from: number, to: number): number;
}

let shared: GramFinder | undefined;

/** One for all, since what it found is used at once. By WebAssembly where there is some. */
export function gramFinder(): GramFinder {
  shared ??= createCompiledFinder() ?? createPlainFinder();
  return shared;
}

export function createCompiledFinder(): GramFinder | undefined {
  const module: Running | undefined = start(FINDER);
  if (module === undefined) return undefined;
  const memory = new Uint8Array(module.memory.buffer);
  const finds = new Uint32Array(module.memory.buffer, FINDS_AT, FIND_BYTES);
  let loaded: GramSet | undefined;
  return {
    finds,
    find(set, bytes, from, to) {
      if (set !== loaded) {
        memory.set(set.halves, HALVES_AT);
        memory.set(set.hashes, HASHES_AT);
        loaded = set;
      }
      memory.set(bytes.subarray(from, to), BYTES_AT);
      const end = BYTES_AT + to - from;
      memory.fill(0, end, end + PADDING);
      return module.run(BYTES_AT, end);
    },
  };
}

export function createPlainFinder(): GramFinder {
  const finds = new Uint32Array(FIND_BYTES);
  return {
    finds,
    find({ hashes }, bytes, from, to) {
      let count = 0;
      for (let at = from; at <= to - GRAM_BYTES; at++) {
        if (hasHash(hashes, foldGram(bytes, at))) finds[count++] = at - from;
      }
      return count;
    },
  };
}
