import {
  add,
  advance,
  and,
  type Code,
  constant,
  copy,
  get,
  I32,
  isAtLeast,
  isLess,
  load,
  load8,
  load16,
  or,
  PAGE_BYTES,
  type RunModule,
  repeatWhile,
  set,
  shiftLeft,
  shiftRight,
  store,
  subtract,
  when,
} from "../../../bytes/webassembly.ts";
import { CLASS_BITS, CLASS_MASK, CONTROL, LONGEST_WORD, WIDE } from "./automaton.ts";
import { FIND_BYTES, FLAG_SHIFT, STATE_SHIFT } from "./word-finder.ts";

/** Where things stand in memory: the automaton's classes, the bytes, what was found, the automaton's table. */
export const CLASSES_AT = 0;
export const BYTES_AT = 1024;
export const FINDS_AT = BYTES_AT + LONGEST_WORD + FIND_BYTES;
export const TABLE_AT = FINDS_AT + 4 * (FIND_BYTES + 2);

/** A place that is being read: the local variables that hold its state, its flags, and where its next find goes. */
interface Reader {
  readonly state: number;
  readonly flags: number;
  readonly out: number;
}

const START = 0;
const FROM = 1;
const TO = 2;
const FIRST: Reader = { state: 3, flags: 5, out: 6 };
const ACCEPTING = 4;
const PARAMETERS = 5;
const SECOND: Reader = { state: 7, flags: 8, out: 9 };
/** Where the second half begins, how far that is from the first, and where its finds are kept meanwhile. */
const MIDDLE = 10;
const AHEAD = 11;
const SECOND_FINDS = 12;
const AT = 13;
const END = 14;
const SYMBOL = 15;
const LOCALS = 16;

/** One table lookup: the state after the byte at an address. */
function step({ state, flags }: Reader, address: Code): Code {
  const entry = or(shiftLeft(get(state), CLASS_BITS), and(get(SYMBOL), constant(CLASS_MASK)));
  return [
    ...set(SYMBOL, load8(load8(address), CLASSES_AT)),
    ...set(flags, or(get(flags), get(SYMBOL))),
    ...set(state, load16(shiftLeft(entry, 1), TABLE_AT)),
  ];
}

function packFlags({ flags }: Reader): Code {
  return shiftLeft(and(get(flags), constant(CONTROL | WIDE)), FLAG_SHIFT);
}

function note(reader: Reader, address: Code): Code {
  const find = or(shiftLeft(get(reader.state), STATE_SHIFT), or(packFlags(reader), subtract(address, get(FROM))));
  return when(isAtLeast(get(reader.state), get(ACCEPTING)), [
    ...store(get(reader.out), find),
    ...advance(reader.out, constant(4)),
    ...set(reader.flags, constant(0)),
  ]);
}

/** Reads from one address to before another. */
function read(begin: Code, end: Code, each: Code): Code {
  return [
    ...set(AT, begin),
    ...set(END, end),
    ...repeatWhile(isLess(get(AT), get(END)), [...each, ...advance(AT, constant(1))]),
  ];
}

/**
 * Called with `start`, `from`, `to`, `state` and `accepting`, it reads the bytes from `start` to `to`, in `state` at
 * first, and gives how many words and lines ended at or after `from`. It follows two places at once, since a processor
 * waits long for each next state and can do the other half meanwhile. What stood more than a word's length before a
 * place has no bearing on its state, so each half may begin anywhere.
 */
export function finderModule(): RunModule {
  return {
    parameters: PARAMETERS,
    locals: Array.from({ length: LOCALS - PARAMETERS }, () => I32),
    body: findInBothHalves(),
    pages: Math.ceil(TABLE_AT / PAGE_BYTES),
  };
}

function findInBothHalves(): Code {
  const ahead = add(get(AT), get(AHEAD));
  const half = shiftRight(subtract(get(TO), get(FROM)), 1);
  const bothSteps = [...step(FIRST, get(AT)), ...step(SECOND, ahead), ...note(FIRST, get(AT)), ...note(SECOND, ahead)];
  return [
    ...read(get(START), get(FROM), step(FIRST, get(AT))),
    ...set(FIRST.flags, constant(0)),
    ...set(MIDDLE, get(TO)),
    ...when(isAtLeast(half, constant(LONGEST_WORD)), set(MIDDLE, subtract(get(TO), half))),
    ...set(AHEAD, subtract(get(MIDDLE), get(FROM))),
    ...set(FIRST.out, constant(FINDS_AT)),
    // The first half ends one word or line a byte at most.
    ...set(SECOND_FINDS, add(constant(FINDS_AT), shiftLeft(get(AHEAD), 2))),
    ...set(SECOND.out, get(SECOND_FINDS)),
    ...when(
      isLess(get(MIDDLE), get(TO)),
      read(subtract(get(MIDDLE), constant(LONGEST_WORD)), get(MIDDLE), step(SECOND, get(AT))),
    ),
    ...set(SECOND.flags, constant(0)),
    ...read(get(FROM), add(get(FROM), subtract(get(TO), get(MIDDLE))), bothSteps),
    ...read(get(AT), get(MIDDLE), [...step(FIRST, get(AT)), ...note(FIRST, get(AT))]),
    // What occurred at the end of a half counts for the next find.
    ...store(get(SECOND.out), packFlags(SECOND)),
    ...store(get(SECOND_FINDS), or(load(get(SECOND_FINDS)), packFlags(FIRST))),
    ...copy(get(FIRST.out), get(SECOND_FINDS), subtract(add(get(SECOND.out), constant(4)), get(SECOND_FINDS))),
    ...shiftRight(add(subtract(get(FIRST.out), constant(FINDS_AT)), subtract(get(SECOND.out), get(SECOND_FINDS))), 2),
  ];
}
