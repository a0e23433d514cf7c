import {
  add,
  addToEachByte,
  advance,
  and,
  andBytes,
  areBelow,
  areBelowSigned,
  areByte,
  areNotByte,
  type Code,
  choose,
  constant,
  get,
  highestBits,
  isAtLeast,
  isEqual,
  isLess,
  load,
  load8,
  load16Bytes,
  multiply,
  no16Bytes,
  or,
  orBytes,
  repeatWhile,
  select,
  set,
  shiftLeftBy,
  shiftRight,
  store,
  store16Bytes,
  subtract,
  tee,
  when,
  xor,
} from "../../../bytes/webassembly.ts";
import { FINDS_AT, MASKS_AT, ROWS_AT, RULES_OFFSET, STATE_BYTES } from "./finder-memory.ts";
import { LOW_SEED, SEED, SIGNATURE_BYTES } from "./fingerprint.ts";
import { type HashLocals, hashBytes } from "./hash-code.ts";
import {
  ASKED,
  COLOR,
  CONTINUES,
  CONTROL,
  LETTER_STATUS,
  POSITION_MASK,
  RETURN,
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
  WIDE,
} from "./row-finder.ts";
import { findsEnd as endOfFinds } from "./words-code.ts";

/** In the masks in memory, the bit of a state that found something of a bank after those of rules. */
export const ASKED_BIT = 1 << 30;

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const BLANK = 32;
const TAB = 9;
const DELETE = 127;
const STEP = 16;
const [ONE, THREE, NINE, SEMICOLON, LETTER_E, LETTER_F, LETTER_M] = [49, 51, 57, 59, 69, 70, 109];

/** Local variables; addresses unless said otherwise. */
export interface RowLocals extends HashLocals {
  /** The bytes looked through; whether they are the last. */
  readonly from: number;
  readonly to: number;
  readonly last: number;
  /** The state at the start of a line. */
  readonly lineStart: number;
  /** Where the finds end. */
  readonly findsEnd: number;
  /** The next find to look at, the first one of the row, and where the row's numbers go. */
  readonly find: number;
  readonly first: number;
  readonly record: number;
  /** The row's first byte, the one after its last, 0 while it has not ended, and the one after what it shows. */
  readonly row: number;
  readonly rowEnd: number;
  readonly content: number;
  /** The place of a find, and one that is looked at. */
  readonly position: number;
  readonly place: number;
  readonly limit: number;
  /** Numbers and bits. */
  readonly going: number;
  readonly terminated: number;
  readonly mask: number;
  readonly flags: number;
  readonly words: number;
  readonly byte: number;
  readonly seen: number;
  /** Of 16 bytes. */
  readonly bytes: number;
  readonly rules: number;
}

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

/** What the row's finds stand for. */
function gatherWords(locals: RowLocals): Code {
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
    ...when(isEqual(get(words), constant(COLOR)), unlessRed(locals)),
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
    ...set(place, add(add(get(from), and(load(get(first)), constant(POSITION_MASK))), constant(1))),
    ...set(limit, add(get(place), constant(8))),
    ...set(limit, select(isLess(get(limit), get(rowEnd)), get(limit), get(rowEnd))),
    ...set(words, constant(0)),
    ...repeatWhile(isLess(get(place), get(limit)), [
      ...set(byte, load8(get(place))),
      ...when(isEqual(get(byte), constant(LETTER_M)), [
        ...set(words, select(red, constant(COLOR), constant(0))),
        ...set(place, get(limit)),
      ]),
      ...when(isEqual(get(byte), constant(NEWLINE)), set(place, get(limit))),
      ...advance(place, constant(1)),
    ]),
  ];
}

function addLetterStatus({ row, rowEnd, terminated, mask, place, byte }: RowLocals): Code {
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

/** Tells what kinds of bytes a row shows. Most have only plain ones, which a few instructions tell for 16 of them. */
function addFlags(locals: RowLocals): Code {
  const { row, rowEnd, content, terminated, flags, place, seen, bytes } = locals;
  const here = load16Bytes(get(place));
  // Of signed bytes one higher, those of other characters, control characters and DELETE are the lowest.
  const areOdd = areBelowSigned(addToEachByte(here, 1), 33);
  const left = subtract(get(content), get(place));
  const within = subtract(
    shiftLeftBy(constant(1), select(isLess(left, constant(STEP)), left, constant(STEP))),
    constant(1),
  );
  const control = orBytes(
    andBytes(areBelow(get(bytes), BLANK), areNotByte(get(bytes), TAB)),
    areByte(get(bytes), DELETE),
  );
  const flag = (bits: Code, value: number): Code =>
    when(and(bits, within), set(flags, or(get(flags), constant(value))));
  return [
    ...choose(get(terminated), set(content, subtract(get(rowEnd), constant(1))), [
      ...set(content, get(rowEnd)),
      ...set(flags, or(get(flags), constant(CONTINUES))),
    ]),
    ...when(
      and(
        and(get(terminated), isLess(get(row), get(content))),
        isEqual(load8(subtract(get(content), constant(1))), constant(CARRIAGE_RETURN)),
      ),
      [...set(content, subtract(get(content), constant(1))), ...set(flags, or(get(flags), constant(RETURN)))],
    ),
    ...set(place, get(row)),
    ...set(seen, constant(0)),
    ...repeatWhile(isLess(get(place), get(content)), [
      ...set(seen, or(get(seen), and(highestBits(areOdd), within))),
      ...advance(place, constant(STEP)),
    ]),
    ...when(get(seen), [
      ...set(place, get(row)),
      ...repeatWhile(isLess(get(place), get(content)), [
        ...flag(highestBits(tee(bytes, here)), WIDE),
        ...flag(highestBits(control), CONTROL),
        ...advance(place, constant(STEP)),
      ]),
    ]),
  ];
}
