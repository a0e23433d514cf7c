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
  repeatWhile,
  set,
  shiftBytesRight,
  shiftRight,
  shiftRightBy,
  store,
  subtract,
  tee,
  V128,
  when,
} from "../bytes/webassembly.ts";
import { BIT_SHIFT, FOLD, GRAM_BYTES, HASH_BYTES, HASH_FACTOR, HASH_SHIFT } from "./gram-set.ts";

/** Bytes that are looked through at once, at most. */
export const FIND_BYTES = 65_536;
const STEP = 16;
/** Zeros after the bytes, so that the last step may read beyond them; no gram has a zero. */
export const PADDING = 2 * STEP;

/** Where things stand in memory: the tables of a set, the bytes, what was found. */
export const HALVES_AT = 0;
const TABLES = GRAM_BYTES * 2;
export const HASHES_AT = HALVES_AT + TABLES * STEP;
export const BYTES_AT = HASHES_AT + HASH_BYTES;
export const FINDS_AT = BYTES_AT + FIND_BYTES + PADDING;

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
export const FINDER: RunModule = {
  parameters: 2,
  locals: [I32, I32, I32, I32, I32, ...Array.from({ length: TABLES + 1 }, () => V128)],
  body: BODY,
  pages: Math.ceil((FINDS_AT + 4 * FIND_BYTES) / PAGE_BYTES),
};
