import {
  add,
  advance,
  type Code,
  constant,
  copy,
  get,
  isAtLeast,
  isLess,
  load,
  load8,
  load16,
  or,
  repeatWhile,
  set,
  shiftLeft,
  store,
  subtract,
  when,
} from "../../../bytes/webassembly.ts";
import { CLASS_BITS, LONGEST_WORD } from "./automaton-plan.ts";
import { CLASSES_AT, FINDS_AT, LANE_BYTES, LANE_FINDS_AT, LANES, OUTS_AT, TABLE_AT } from "./finder-memory.ts";
import { STATE_SHIFT } from "./row-finder.ts";

/** Local variables: the addresses between which words are looked for, where to begin for that, and the automaton's state there. */
export interface WordLocals {
  readonly start: number;
  readonly from: number;
  readonly to: number;
  readonly state: number;
  readonly accepting: number;
  readonly at: number;
  readonly end: number;
  /** The states of the places further on. */
  readonly further: readonly number[];
}

/**
 * Notes where words and lines end. It follows several places at once, since a processor waits long for each next state
 * and can look up the others meanwhile. What stood more than a word's length before a place has no bearing on its state,
 * so each may begin anywhere. They are a fixed distance apart, and where their finds go stands in memory: so each takes
 * one register, of which there are few.
 */
export function findWords(locals: WordLocals): Code {
  const { start, from, to, state, at, end, further } = locals;
  const states = [state, ...further];
  const each = (code: (place: number) => Code): Code => states.flatMap((_, place) => code(place));
  const eachFurther = (code: (place: number) => Code): Code => further.flatMap((_, index) => code(index + 1));
  const advanceTo = (target: Code, body: Code): Code => [
    ...set(end, target),
    ...repeatWhile(isLess(get(at), get(end)), [...body, ...advance(at, constant(1))]),
  ];
  const step = (place: number): Code => stepTo(states[place] as number, at, place);
  const note = (place: number): Code => noteFind(states[place] as number, locals, place);
  return [
    ...set(at, get(start)),
    ...advanceTo(get(from), step(0)),
    ...setOut(0, constant(FINDS_AT)),
    ...repeatWhile(isAtLeast(subtract(get(to), get(at)), constant(LANES * LANE_BYTES)), [
      ...eachFurther((place) => [
        ...set(states[place] as number, constant(0)),
        ...setOut(place, constant(laneFindsAt(place))),
      ]),
      ...set(at, subtract(get(at), constant(LONGEST_WORD))),
      ...advanceTo(add(get(at), constant(LONGEST_WORD)), eachFurther(step)),
      ...advanceTo(add(get(at), constant(LANE_BYTES)), [...each(step), ...each(note)]),
      ...eachFurther(joinFinds),
      ...set(state, get(states.at(-1) as number)),
      ...advance(at, constant((LANES - 1) * LANE_BYTES)),
    ]),
    ...advanceTo(get(to), [...step(0), ...note(0)]),
  ];
}

/** Where the finds end. */
export const findsEnd: Code = outOf(0);

function outOf(place: number): Code {
  return load(constant(OUTS_AT + 4 * place));
}

function setOut(place: number, address: Code): Code {
  return store(constant(OUTS_AT + 4 * place), address);
}

function laneFindsAt(place: number): number {
  return LANE_FINDS_AT + 4 * LANE_BYTES * place;
}

/** Puts the finds of a place further on after those before it. */
function joinFinds(place: number): Code {
  const bytes = subtract(outOf(place), constant(laneFindsAt(place)));
  return [...copy(outOf(0), constant(laneFindsAt(place)), bytes), ...setOut(0, add(outOf(0), bytes))];
}

/** One table lookup: the state after a byte. The classes stand doubled in memory, as the table has two bytes an entry. */
function stepTo(state: number, at: number, place: number): Code {
  const symbol = load8(load8(get(at), place * LANE_BYTES), CLASSES_AT);
  return set(state, load16(add(shiftLeft(get(state), CLASS_BITS + 1), symbol), TABLE_AT));
}

function noteFind(state: number, { from, at, accepting }: WordLocals, place: number): Code {
  const position = subtract(add(get(at), constant(place * LANE_BYTES)), get(from));
  return when(isAtLeast(get(state), get(accepting)), [
    ...store(outOf(place), or(shiftLeft(get(state), STATE_SHIFT), position)),
    ...setOut(place, add(outOf(place), constant(4))),
  ]);
}
