import { SCAN_BYTES, STEP } from "./scan-steps.ts";
import {
  add,
  advance,
  and,
  andBytes,
  andEachByte,
  areBelow,
  areBelowSigned,
  areByte,
  areNotByte,
  type Code,
  constant,
  countZerosBelow,
  equalBytes,
  get,
  highestBits,
  I32,
  isLess,
  load16Bytes,
  lookUp16Bytes,
  or,
  orBytes,
  PAGE_BYTES,
  type RunModule,
  repeatWhile,
  set,
  shiftBytesRight,
  shiftLeft,
  shiftRight,
  store,
  subtract,
  V128,
  when,
  xor,
  xorBytes,
} from "./webassembly.ts";

/** So many of the first bytes of what is looked for are compared. */
export const BEGINNING_BYTES = 4;
/** Of each of them a table for the lower half of a byte and one for the higher: the beginnings that it may belong to, as bits. */
export const TABLE_BYTES = 16;
export const BEGINNINGS = 8;

/** A line's flags: a beginning may stand in it; what a terminal would not show as it is may; bytes that are not ASCII do. */
export const MENTIONS = 1;
export const DOUBTFUL = 2;
export const WIDE = 4;
/** Signs of source: a parenthesis opens; a comment or a long text may begin or end, or a label stand before a comment. */
export const PARENTHESIS = 8;
export const SIGNS = 16;
/** Where a line ends, behind its newline, stands above its flags. */
export const END_SHIFT = 5;

/** Where things stand in memory, after the flags of the line that goes on. */
export const TABLES_AT = STEP;
export const BYTES_AT = TABLES_AT + 2 * BEGINNING_BYTES * TABLE_BYTES;
export const ENDS_AT = BYTES_AT + SCAN_BYTES + 2 * STEP;

const TAB = 0x09;
const NEWLINE = 0x0a;
const BLANK = 0x20;
const DELETE = 0x7f;
/** What eight-bit control characters begin with, and below which byte they go on, as a signed one. */
const BEFORE_CONTROLS = 0xc2;
const BELOW_LETTERS = 0xa0 - 0x100;
/** Characters of two UTF-16 units. */
const FOUR_BYTES = 0xf0;
const DOUBLE_QUOTE = 0x22;
const QUOTE = 0x27;
const OPEN_PARENTHESIS = 0x28;
const STAR = 0x2a;
const SLASH = 0x2f;
const COLON = 0x3a;

const AT = 0;
const END = 1;
const FLAGS = 2;
const OUT = 3;
const NEWLINES = 4;
const DOUBTS = 5;
const MENTIONED = 6;
const OTHERS = 7;
const PARENTHESES = 8;
const SIGNED = 9;
const UP_TO = 10;
const BYTES = 11;
const LATER = 12;

/** What a scanner looks for besides what is doubtful. */
export interface Sought {
  /** Beginnings, and bytes that are not ASCII. */
  readonly beginnings: boolean;
  /** Signs of source. */
  readonly signs: boolean;
}

/**
 * Called with two addresses and the flags of the line that goes on at the first, it notes where lines end, with their
 * flags, and gives how many do.
 */
export function lineScanModule(sought: Sought): RunModule {
  const marks = [
    { bits: DOUBTS, flag: DOUBTFUL, found: doubtful },
    ...(sought.beginnings ? asked() : []),
    ...(sought.signs ? signs : []),
  ];
  const end = add(subtract(get(AT), constant(BYTES_AT - 1)), countZerosBelow(get(NEWLINES)));
  const lowestGone = and(get(NEWLINES), subtract(get(NEWLINES), constant(1)));
  return {
    parameters: 3,
    locals: [I32, I32, I32, I32, I32, I32, I32, I32, V128, V128],
    body: [
      ...set(OUT, constant(ENDS_AT)),
      ...repeatWhile(isLess(get(AT), get(END)), [
        ...set(BYTES, load16Bytes(get(AT))),
        ...set(NEWLINES, highestBits(areByte(get(BYTES), NEWLINE))),
        ...marks.flatMap(({ bits, found }) => set(bits, highestBits(found))),
        ...repeatWhile(get(NEWLINES), [
          ...set(UP_TO, xor(get(NEWLINES), subtract(get(NEWLINES), constant(1)))),
          ...marks.flatMap(({ bits, flag }) => [
            ...addFlag(and(get(bits), get(UP_TO)), flag),
            ...set(bits, and(get(bits), xor(get(UP_TO), constant(-1)))),
          ]),
          ...store(get(OUT), or(shiftLeft(end, END_SHIFT), get(FLAGS))),
          ...advance(OUT, constant(4)),
          ...set(FLAGS, constant(0)),
          ...set(NEWLINES, lowestGone),
        ]),
        ...marks.flatMap(({ bits, flag }) => addFlag(get(bits), flag)),
        ...advance(AT, constant(STEP)),
      ]),
      ...store(constant(0), get(FLAGS)),
      ...shiftRight(subtract(get(OUT), constant(ENDS_AT)), 2),
    ],
    pages: Math.ceil((ENDS_AT + 4 * SCAN_BYTES) / PAGE_BYTES),
  };
}

/** Which of 16 bytes have a flag. */
interface Mark {
  readonly bits: number;
  readonly flag: number;
  readonly found: Code;
}

function addFlag(condition: Code, flag: number): Code {
  return when(condition, set(FLAGS, or(get(FLAGS), constant(flag))));
}

const bytes = get(BYTES);

/** Which bytes are, or begin, control characters besides tab and newline, or characters of two UTF-16 units. */
const doubtful = orBytes(
  orBytes(
    xorBytes(areBelow(bytes, BLANK), orBytes(areByte(bytes, TAB), areByte(bytes, NEWLINE))),
    andBytes(areByte(bytes, BEFORE_CONTROLS), areBelowSigned(load16Bytes(get(AT), 1), BELOW_LETTERS)),
  ),
  orBytes(areByte(bytes, DELETE), areByte(andEachByte(bytes, FOUR_BYTES), FOUR_BYTES)),
);

const next = load16Bytes(get(AT), 1);
const commentEdges = orBytes(
  andBytes(areByte(bytes, SLASH), areByte(next, STAR)),
  andBytes(areByte(bytes, STAR), areByte(next, SLASH)),
);
const labels = andBytes(areByte(bytes, COLON), areByte(load16Bytes(get(AT), 2), SLASH));
const quotes = andBytes(orBytes(areByte(bytes, DOUBLE_QUOTE), areByte(bytes, QUOTE)), equalBytes(bytes, next));
const signs: readonly Mark[] = [
  { bits: PARENTHESES, flag: PARENTHESIS, found: areByte(bytes, OPEN_PARENTHESIS) },
  { bits: SIGNED, flag: SIGNS, found: orBytes(orBytes(commentEdges, labels), quotes) },
];

function asked(): readonly Mark[] {
  return [
    { bits: MENTIONED, flag: MENTIONS, found: areNotByte(beginnings(), 0) },
    { bits: OTHERS, flag: WIDE, found: bytes },
  ];
}

/** For each of 16 places the beginnings, as bits, that may stand there. */
function beginnings(): Code {
  const table = (index: number): Code => load16Bytes(constant(TABLES_AT + index * TABLE_BYTES));
  const found = Array.from(
    { length: BEGINNING_BYTES },
    (_, place): Code => [
      ...set(LATER, load16Bytes(get(AT), place)),
      ...andBytes(
        lookUp16Bytes(table(2 * place), andEachByte(get(LATER), 0x0f)),
        lookUp16Bytes(table(2 * place + 1), shiftBytesRight(get(LATER), 4)),
      ),
    ],
  );
  return found.reduce(andBytes);
}
