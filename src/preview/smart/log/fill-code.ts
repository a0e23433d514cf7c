import {
  add,
  advance,
  and,
  type Code,
  choose,
  constant,
  copy,
  get,
  hasBits,
  I32,
  isEqual,
  isLess,
  load,
  load8,
  load16,
  load16Bytes,
  multiply,
  or,
  orBytes,
  type RunFunction,
  repeatWhile,
  set,
  shiftLeft,
  store,
  store16,
  store16Bytes,
  subtract,
  tee,
  V128,
  when,
} from "../../../bytes/webassembly.ts";
import { CLASS_BITS, LINE_END, STATE_SHOWN } from "./automaton-plan.ts";
import { MASKS_AT, RULES_OFFSET, STATE_BYTES, TABLE_AT } from "./finder-memory.ts";

const ROW_BYTES = 2 << CLASS_BITS;

// The parameters: how many nodes there are, and where each list of the plan and of what becomes of it begins.
const SIZE = 0;
const CHILDREN = 1;
const SYMBOLS = 2;
const KINDS = 3;
const FOUND = 4;
/** The state of a node; the kind of a state and where it falls back to. */
const STATES = 5;
const STATE_KINDS = 6;
const FALLBACKS = 7;
const PARAMETERS = 8;

// The local variables.
const NODE = 8;
const CHILD = 9;
/** After the last child of the node. */
const END = 10;
/** The state of the node, and then of the child. */
const STATE = 11;
/** Where the node's row of the table stands, and in it the entry for the child. */
const ROW = 12;
const AT = 13;
/** The state after what the child ends with, where its own word is not. */
const SHORTER = 14;
const KIND = 15;
/** Where stands what the kind finds, and what the shorter state finds. */
const OWN = 16;
const INHERITED = 17;
const MASK = 18;
/** The next state of each kind. */
const PLAIN = 19;
const ACCEPTING = 20;
/** Whether the child finds anything. */
const FINDS = 21;
const RULES = 22;
const LOCALS = 23;

/** `fillTables` by WebAssembly, into the memory of the finder; it gives the first accepting state. */
export const fillFunction: RunFunction = {
  parameters: PARAMETERS,
  locals: Array.from({ length: LOCALS - PARAMETERS }, (_, index) => (index + PARAMETERS === RULES ? V128 : I32)),
  body: fillCode(),
};

function entry(list: number, index: Code): Code {
  return add(get(list), shiftLeft(index, 1));
}

function rowOf(state: Code): Code {
  return add(shiftLeft(state, CLASS_BITS + 1), constant(TABLE_AT));
}

function fillCode(): Code {
  return [
    ...set(CHILD, constant(1)),
    ...set(PLAIN, constant(1)),
    ...set(ACCEPTING, get(SIZE)),
    ...repeatWhile(isLess(get(NODE), get(SIZE)), [
      ...set(STATE, load16(entry(STATES, get(NODE)))),
      ...set(ROW, rowOf(get(STATE))),
      ...when(get(NODE), copy(get(ROW), rowOf(load16(entry(FALLBACKS, get(STATE)))), constant(ROW_BYTES))),
      ...set(END, add(get(CHILD), load8(add(get(CHILDREN), get(NODE))))),
      ...repeatWhile(isLess(get(CHILD), get(END)), [...childCode(), ...advance(CHILD, constant(1))]),
      ...advance(NODE, constant(1)),
    ]),
    ...get(ACCEPTING),
  ];
}

function childCode(): Code {
  const masksOf = (state: number): Code => multiply(get(state), constant(STATE_BYTES));
  return [
    ...set(AT, add(get(ROW), shiftLeft(load8(add(get(SYMBOLS), get(CHILD))), 1))),
    ...set(SHORTER, load16(get(AT))),
    ...set(KIND, load16(entry(KINDS, get(CHILD)))),
    ...set(OWN, add(get(FOUND), masksOf(KIND))),
    ...set(INHERITED, masksOf(SHORTER)),
    ...set(MASK, or(load(get(OWN)), and(load(get(INHERITED), MASKS_AT), load(get(OWN), 4 * STATE_SHOWN)))),
    ...set(RULES, orBytes(load16Bytes(get(OWN), RULES_OFFSET), load16Bytes(get(INHERITED), MASKS_AT + RULES_OFFSET))),
    ...set(FINDS, or(or(get(MASK), hasBits(get(RULES))), isEqual(get(AT), constant(TABLE_AT + 2 * LINE_END)))),
    ...choose(get(FINDS), set(STATE, tee(ACCEPTING, subtract(get(ACCEPTING), constant(1)))), [
      ...set(STATE, get(PLAIN)),
      ...advance(PLAIN, constant(1)),
    ]),
    ...store(masksOf(STATE), get(MASK), MASKS_AT),
    ...store16Bytes(add(masksOf(STATE), constant(MASKS_AT + RULES_OFFSET)), get(RULES)),
    ...store16(entry(STATES, get(CHILD)), get(STATE)),
    ...store16(entry(STATE_KINDS, get(STATE)), get(KIND)),
    ...store16(entry(FALLBACKS, get(STATE)), get(SHORTER)),
    ...store16(get(AT), get(STATE)),
  ];
}
