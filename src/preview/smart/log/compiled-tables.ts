import {
  add,
  advance,
  type Code,
  constant,
  copy,
  get,
  I32,
  isEqual,
  isLess,
  isZero,
  load,
  load8,
  load16,
  multiply,
  or,
  PAGE_BYTES,
  repeatWhile,
  set,
  shiftLeft,
  start,
  store,
  store16,
  subtract,
  tee,
  when,
} from "../../../bytes/webassembly.ts";
import { type AutomatonPlan, type AutomatonTables, CLASS_BITS, fillTables, LINE_END } from "./automaton.ts";

const ROW_BYTES = 2 << CLASS_BITS;

// The local variables.
const NODE = 0;
const CHILD = 1;
/** After the last child of the node. */
const END = 2;
/** Where the node's row of the table stands, and in it the entry for the child. */
const ROW = 3;
const AT = 4;
/** The state after what the child ends with, where its own word is not. */
const SHORTER = 5;
const STATE = 6;
const BITS = 7;
/** Where a mask of the child stands, the one that it inherits, and the end of its masks. */
const MASK = 8;
const INHERITED = 9;
const LAST = 10;
/** The next state of each kind. */
const PLAIN = 11;
const ACCEPTING = 12;
const WORD = 13;
const LOCALS = 14;

/** Where things stand in memory. */
interface Layout {
  readonly size: number;
  /** Bytes of a node's masks. */
  readonly maskBytes: number;
  readonly next: number;
  readonly masks: number;
  readonly found: number;
  readonly states: number;
  readonly fallbacks: number;
  readonly children: number;
  readonly symbols: number;
  readonly stops: number;
  readonly end: number;
}

function layOut(size: number, banks: number): Layout {
  const maskBytes = 4 * banks;
  const next = 0;
  const masks = next + size * ROW_BYTES;
  const found = masks + size * maskBytes;
  const states = found + size * maskBytes;
  const fallbacks = states + 2 * size;
  const children = fallbacks + 2 * size;
  const symbols = children + size;
  const stops = symbols + size;
  return { size, maskBytes, next, masks, found, states, fallbacks, children, symbols, stops, end: stops + size };
}

/**
 * `fillTables` by WebAssembly, which is as fast at once as JavaScript is after it was compiled. Each has a memory of its
 * own, with much room around it: only for what lives as long as the process.
 */
export function fillCompiledTables(plan: AutomatonPlan, banks: number): AutomatonTables {
  const layout = layOut(plan.children.length, banks);
  const { size } = layout;
  const module = start({
    parameters: 0,
    locals: Array.from({ length: LOCALS }, () => I32),
    body: fillCode(layout),
    pages: Math.ceil(layout.end / PAGE_BYTES),
  });
  if (module === undefined) return fillTables(plan, banks);
  const { buffer } = module.memory;
  const bytes = new Uint8Array(buffer);
  bytes.set(plan.children, layout.children);
  bytes.set(plan.symbols, layout.symbols);
  bytes.set(plan.stops, layout.stops);
  new Uint32Array(buffer, layout.found, size * banks).set(plan.masks);
  const accepting = module.run();
  return {
    next: new Uint16Array(buffer, layout.next, size << CLASS_BITS),
    masks: new Uint32Array(buffer, layout.masks, size * banks),
    accepting,
  };
}

function fillCode({ size, ...layout }: Layout): Code {
  const stateOf = (list: number): Code => load16(shiftLeft(get(NODE), 1), list);
  const rowOf = (state: Code): Code => shiftLeft(state, CLASS_BITS + 1);
  return [
    ...set(CHILD, constant(1)),
    ...set(PLAIN, constant(1)),
    ...set(ACCEPTING, constant(size)),
    ...repeatWhile(isLess(get(NODE), constant(size)), [
      ...set(ROW, rowOf(stateOf(layout.states))),
      ...when(get(NODE), copy(get(ROW), rowOf(stateOf(layout.fallbacks)), constant(ROW_BYTES))),
      ...set(END, add(get(CHILD), load8(get(NODE), layout.children))),
      ...repeatWhile(isLess(get(CHILD), get(END)), [...childCode(layout), ...advance(CHILD, constant(1))]),
      ...advance(NODE, constant(1)),
    ]),
    ...get(ACCEPTING),
  ];
}

function childCode({ maskBytes, masks, found, states, fallbacks, symbols, stops }: Omit<Layout, "size">): Code {
  const masksAt = (list: number, index: number): Code => add(constant(list), multiply(get(index), constant(maskBytes)));
  const ofChild = (list: number): Code => add(constant(list), shiftLeft(get(CHILD), 1));
  const noteBits = (mask: Code): Code => [
    ...set(BITS, or(get(BITS), mask)),
    ...advance(MASK, constant(4)),
    ...advance(INHERITED, constant(4)),
  ];
  return [
    ...set(AT, add(get(ROW), shiftLeft(load8(get(CHILD), symbols), 1))),
    ...set(SHORTER, load16(get(AT))),
    ...set(BITS, isEqual(get(AT), constant(2 * LINE_END))),
    ...set(MASK, masksAt(found, CHILD)),
    ...set(INHERITED, masksAt(masks, SHORTER)),
    ...set(LAST, add(get(MASK), constant(maskBytes))),
    ...when(load8(get(CHILD), stops), noteBits(load(get(MASK)))),
    ...repeatWhile(isLess(get(MASK), get(LAST)), [
      ...store(get(MASK), tee(WORD, or(load(get(MASK)), load(get(INHERITED))))),
      ...noteBits(get(WORD)),
    ]),
    ...when(isZero(get(BITS)), [...set(STATE, get(PLAIN)), ...advance(PLAIN, constant(1))]),
    ...when(get(BITS), set(STATE, tee(ACCEPTING, subtract(get(ACCEPTING), constant(1))))),
    ...copy(masksAt(masks, STATE), masksAt(found, CHILD), constant(maskBytes)),
    ...store16(ofChild(states), get(STATE)),
    ...store16(ofChild(fallbacks), get(SHORTER)),
    ...store16(get(AT), get(STATE)),
  ];
}
