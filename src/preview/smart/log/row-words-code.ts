import {
  add,
  advance,
  and,
  type Code,
  constant,
  get,
  isEqual,
  isLess,
  load,
  load8,
  load16Bytes,
  multiply,
  or,
  orBytes,
  repeatWhile,
  select,
  set,
  shiftRight,
  subtract,
  when,
} from "../../../bytes/webassembly.ts";
import { MASKS_AT, RULES_OFFSET, STATE_BYTES } from "./finder-memory.ts";
import { ASKED, ASKED_BIT, COLOR, COLOR_BYTES, LETTER_STATUS, POSITION_MASK, STATE_SHIFT } from "./row-finder.ts";
import type { RowLocals } from "./row-locals.ts";

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const BLANK = 32;
const [ONE, THREE, NINE, SEMICOLON, LETTER_E, LETTER_F, LETTER_M] = [49, 51, 57, 59, 69, 70, 109];

/** What the row's finds stand for. */
export function gatherWords(locals: RowLocals): Code {
  const { find, first, mask, flags, words, rules } = locals;
  const found = multiply(shiftRight(load(get(first)), STATE_SHIFT), constant(STATE_BYTES));
  return repeatWhile(isLess(get(first), get(find)), [
    ...set(words, found),
    ...set(rules, orBytes(get(rules), load16Bytes(get(words), MASKS_AT + RULES_OFFSET))),
    ...set(words, load(get(words), MASKS_AT)),
    ...when(and(get(words), constant(ASKED_BIT)), [
      ...set(flags, constant(ASKED)),
      ...set(words, and(get(words), constant(~ASKED_BIT))),
    ]),
    ...when(and(get(words), constant(COLOR)), unlessRed(locals)),
    ...set(mask, or(get(mask), get(words))),
    ...advance(first, constant(4)),
  ]);
}

/** Forgets a colour code that does not switch to red, in which most tools print what is wrong. */
function unlessRed({ from, first, rowEnd, words, place, limit, byte }: RowLocals): Code {
  const before = (count: number): Code => load8(subtract(get(place), constant(count)));
  const is = (count: number, value: number): Code => isEqual(before(count), constant(value));
  const bright = and(is(2, SEMICOLON), and(is(4, THREE), is(3, ONE)));
  const red = and(is(1, ONE), or(or(is(2, THREE), is(2, NINE)), bright));
  return [
    ...set(place, add(add(get(from), and(load(get(first)), constant(POSITION_MASK))), constant(1 - COLOR_BYTES))),
    ...set(limit, add(get(place), constant(8))),
    ...set(limit, select(isLess(get(limit), get(rowEnd)), get(limit), get(rowEnd))),
    ...set(words, and(get(words), constant(~COLOR))),
    ...repeatWhile(isLess(get(place), get(limit)), [
      ...set(byte, load8(get(place))),
      ...when(isEqual(get(byte), constant(LETTER_M)), [
        ...set(words, or(get(words), select(red, constant(COLOR), constant(0)))),
        ...set(place, get(limit)),
      ]),
      ...when(isEqual(get(byte), constant(NEWLINE)), set(place, get(limit))),
      ...advance(place, constant(1)),
    ]),
  ];
}

/** Adds the bit of a row that ends in a lone E or F. */
export function addLetterStatus({ row, rowEnd, terminated, mask, place, byte }: RowLocals): Code {
  const long = isLess(constant(3), subtract(get(rowEnd), get(row)));
  const letter = or(isEqual(get(byte), constant(LETTER_E)), isEqual(get(byte), constant(LETTER_F)));
  const alone = isEqual(load8(subtract(get(place), constant(1))), constant(BLANK));
  return when(and(get(terminated), long), [
    ...set(place, subtract(get(rowEnd), constant(2))),
    ...set(place, subtract(get(place), isEqual(load8(get(place)), constant(CARRIAGE_RETURN)))),
    ...set(byte, load8(get(place))),
    ...when(and(letter, alone), set(mask, or(get(mask), constant(LETTER_STATUS)))),
  ]);
}
