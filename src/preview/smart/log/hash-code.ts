import {
  add,
  advance,
  and,
  type Code,
  choose,
  constant,
  countZerosBelow,
  get,
  isEqual,
  isLess,
  load,
  load8,
  multiply,
  or,
  repeatWhile,
  rotateLeft,
  select,
  set,
  shiftLeft,
  shiftLeftBy,
  shiftRight,
  subtract,
  when,
  xor,
} from "../../../bytes/webassembly.ts";
import { HIGH_FACTOR, LOW_FACTOR, NUMBER, PART, ROTATION, SOME_NUMBER } from "./fingerprint.ts";

/** Local variables: the bytes between two addresses, and what comes of them. */
export interface HashLocals {
  readonly at: number;
  readonly end: number;
  readonly high: number;
  readonly low: number;
  readonly word: number;
  readonly digits: number;
  readonly part: number;
}

const ASCII_ZEROS = 0x30303030;
const TENS = 0x0a0a0a0a;
const HIGHEST_BITS = 0x80808080 | 0;
const DIGIT_ZERO = 48;

/** Goes on with a hash over bytes; of their numbers it takes whether they are zero where `zeros` tell apart. */
export function hashBytes(locals: HashLocals, zeros: boolean): Code {
  const { at, end, word, digits, part } = locals;
  const left = subtract(get(end), get(at));
  const distance = xor(get(word), constant(ASCII_ZEROS));
  const isDigit = isLess(subtract(load8(get(at)), constant(DIGIT_ZERO)), constant(10));
  const mixWord = mix(locals, get(word), zeros);
  return repeatWhile(isLess(get(at), get(end)), [
    ...set(word, load(get(at))),
    // The highest bit of each byte that is a digit, up to the first of them.
    ...set(digits, and(and(subtract(distance, constant(TENS)), xor(distance, constant(-1))), constant(HIGHEST_BITS))),
    ...set(part, shiftRight(countZerosBelow(get(digits)), 3)),
    ...set(part, select(isLess(get(part), left), get(part), left)),
    ...choose(
      isEqual(get(part), constant(4)),
      [...mixWord, ...advance(at, constant(4))],
      [
        ...when(get(part), [
          ...set(word, and(get(word), subtract(shiftLeftBy(constant(1), shiftLeft(get(part), 3)), constant(1)))),
          ...set(word, or(get(word), add(constant(PART), shiftLeft(get(part), 24)))),
          ...mixWord,
          ...advance(at, get(part)),
        ]),
        ...when(isLess(get(at), get(end)), [
          ...set(digits, constant(0)),
          ...repeatWhile(and(isLess(get(at), get(end)), isDigit), [
            ...set(digits, or(get(digits), subtract(load8(get(at)), constant(DIGIT_ZERO)))),
            ...advance(at, constant(1)),
          ]),
          ...set(word, zeros ? select(get(digits), constant(SOME_NUMBER), constant(NUMBER)) : constant(NUMBER)),
          ...mixWord,
        ]),
      ],
    ),
  ]);
}

function mix({ high, low }: HashLocals, word: Code, both: boolean): Code {
  const product = multiply(add(get(low), word), constant(LOW_FACTOR));
  return [
    ...set(high, multiply(xor(rotateLeft(get(high), ROTATION), word), constant(HIGH_FACTOR))),
    ...(both ? [...set(low, product), ...set(low, xor(get(low), shiftRight(get(low), 13)))] : []),
  ];
}
