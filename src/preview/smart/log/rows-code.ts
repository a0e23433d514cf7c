import {
  add,
  advance,
  and,
  type Code,
  choose,
  constant,
  get,
  isAtLeast,
  isEqual,
  isLess,
  load,
  load8,
  no16Bytes,
  repeatWhile,
  select,
  set,
  shiftRight,
  store,
  store16Bytes,
  subtract,
  when,
  xor,
} from "../../../bytes/webassembly.ts";
import { FINDS_AT, ROWS_AT } from "./finder-memory.ts";
import { LOW_SEED, SEED, SIGNATURE_BYTES } from "./fingerprint.ts";
import { hashBytes } from "./hash-code.ts";
import {
  POSITION_MASK,
  ROW_END,
  ROW_FINDS,
  ROW_FLAGS,
  ROW_HIGH,
  ROW_LOW,
  ROW_MASK,
  ROW_NUMBERS,
  ROW_RULES,
  ROW_SIGNATURE,
  SEGMENT_BYTES,
  STATE_SHIFT,
} from "./row-finder.ts";
import { addFlags } from "./row-flags-code.ts";
import type { RowLocals } from "./row-locals.ts";
import { addLetterStatus, gatherWords } from "./row-words-code.ts";
import { findsEnd as endOfFinds } from "./words-code.ts";

/** Cuts the bytes at the newlines that were found, and notes each row's words, flags and hashes. Leaves how many rows there are. */
export function cutRows(locals: RowLocals): Code {
  const { from, to, last, lineStart, findsEnd, find, first, record, row, rowEnd, position, going, terminated } = locals;
  const longest = add(get(row), constant(SEGMENT_BYTES));
  const state = shiftRight(load(get(find)), STATE_SHIFT);
  return [
    ...set(row, get(from)),
    ...set(locals.findsEnd, endOfFinds),
    ...set(find, constant(FINDS_AT)),
    ...set(first, constant(FINDS_AT)),
    ...set(record, constant(ROWS_AT)),
    ...set(going, constant(1)),
    ...repeatWhile(get(going), [
      ...set(rowEnd, constant(0)),
      ...set(terminated, constant(0)),
      ...choose(
        isLess(get(find), get(findsEnd)),
        set(position, add(get(from), and(load(get(find)), constant(POSITION_MASK)))),
        set(position, subtract(get(to), constant(1))),
      ),
      ...choose(
        // Where a long line may be cut shows only once the byte after it has come.
        isAtLeast(get(position), longest),
        [...set(rowEnd, longest), ...retreatToBoundary(locals)],
        choose(
          isLess(get(find), get(findsEnd)),
          [
            ...when(isEqual(state, get(lineStart)), [
              ...set(rowEnd, add(get(position), constant(1))),
              ...set(terminated, constant(1)),
            ]),
            ...advance(find, constant(4)),
          ],
          [...set(going, constant(0)), ...when(and(get(last), isLess(get(row), get(to))), set(rowEnd, get(to)))],
        ),
      ),
      ...when(get(rowEnd), endRow(locals)),
    ]),
    ...shiftRight(subtract(get(record), constant(ROWS_AT)), 6),
  ];
}

/** The last place at or before the row's end that does not stand inside a code point. */
function retreatToBoundary({ rowEnd, limit }: RowLocals): Code {
  const continues = isEqual(and(load8(get(rowEnd)), constant(0xc0)), constant(0x80));
  return [
    ...set(limit, subtract(get(rowEnd), constant(3))),
    ...repeatWhile(and(isLess(get(limit), get(rowEnd)), continues), set(rowEnd, subtract(get(rowEnd), constant(1)))),
  ];
}

function endRow(locals: RowLocals): Code {
  const { from, find, record, row, rowEnd, mask, flags, rules, high, low, at, end } = locals;
  const note = (index: number, value: Code): Code => store(get(record), value, 4 * index);
  return [
    ...set(mask, constant(0)),
    ...set(flags, constant(0)),
    ...set(rules, no16Bytes),
    ...gatherWords(locals),
    ...addLetterStatus(locals),
    ...addFlags(locals),
    ...note(ROW_END, subtract(get(rowEnd), get(from))),
    ...note(ROW_MASK, get(mask)),
    ...note(ROW_FLAGS, get(flags)),
    ...note(ROW_FINDS, shiftRight(subtract(get(find), constant(FINDS_AT)), 2)),
    ...when(get(mask), [
      ...set(at, get(row)),
      ...set(end, add(get(row), constant(SIGNATURE_BYTES))),
      ...set(end, select(isLess(get(end), get(rowEnd)), get(end), get(rowEnd))),
      ...set(high, xorSeed(mask)),
      ...hashBytes(locals, false),
      ...note(ROW_SIGNATURE, get(high)),
      ...set(at, get(row)),
      ...set(end, get(rowEnd)),
      ...set(high, xorSeed(mask)),
      ...set(low, constant(LOW_SEED)),
      ...hashBytes(locals, true),
      ...note(ROW_HIGH, get(high)),
      ...note(ROW_LOW, get(low)),
      ...store16Bytes(add(get(record), constant(4 * ROW_RULES)), get(rules)),
    ]),
    ...advance(record, constant(4 * ROW_NUMBERS)),
    ...set(row, get(rowEnd)),
  ];
}

function xorSeed(mask: number): Code {
  return xor(get(mask), constant(SEED));
}
