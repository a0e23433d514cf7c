import {
  add,
  advance,
  type Code,
  constant,
  copy,
  get,
  isAtLeast,
  isLess,
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
import { CLASS_BITS, LONGEST_WORD } from "./automaton.ts";
import { CLASSES_AT, FINDS_AT, LANE_BYTES, LANE_FINDS_AT, LANES, TABLE_AT } from "./finder-memory.ts";
import { STATE_SHIFT } from "./row-finder.ts";

/** Local variables: the addresses between which words are looked for, where to begin for that, and the automaton's state there. */
export interface WordLocals {
  readonly start: number;
  readonly from: number;
  readonly to: number;
  readonly state: number;
  readonly accepting: number;
  /** Where the finds end. */
  readonly findsEnd: number;
  readonly at: number;
  readonly end: number;
  /** Of each further place, its state and where its next find goes. */
  readonly further: readonly Lane[];
}

interface Lane {
  readonly state: number;
  readonly out: number;
}

/**
 * Notes where words and lines end. It follows several places at once, since a processor waits long for each next state
 * and can look up the others meanwhile; they are a fixed number of bytes apart, which takes no register. What stood more
 * than a word's length before a place has no bearing on its state, so each may begin anywhere.
 */
export function findWords(locals: WordLocals): Code {
  const { start, from, to, state, findsEnd, at, end } = locals;
  const lanes: readonly Lane[] = [{ state, out: findsEnd }, ...locals.further];
  const each = (code: (lane: Lane, ahead: number) => Code): Code =>
    lanes.flatMap((lane, place) => code(lane, place * LANE_BYTES));
  const further = (code: (lane: Lane, place: number) => Code): Code =>
    locals.further.flatMap((lane, index) => code(lane, index + 1));
  const advanceTo = (target: Code, body: Code): Code => [
    ...set(end, target),
    ...repeatWhile(isLess(get(at), get(end)), [...body, ...advance(at, constant(1))]),
  ];
  const step = (lane: Lane, ahead: number): Code => stepTo(lane, at, ahead);
  const note = (lane: Lane, ahead: number): Code => noteFind(lane, locals, ahead);
  return [
    ...set(at, get(start)),
    ...advanceTo(get(from), step(lanes[0] as Lane, 0)),
    ...set(findsEnd, constant(FINDS_AT)),
    ...repeatWhile(isAtLeast(subtract(get(to), get(at)), constant(LANES * LANE_BYTES)), [
      ...further((lane, place) => [...set(lane.state, constant(0)), ...set(lane.out, constant(laneFindsAt(place)))]),
      ...set(at, subtract(get(at), constant(LONGEST_WORD))),
      ...advanceTo(
        add(get(at), constant(LONGEST_WORD)),
        further((lane, place) => step(lane, place * LANE_BYTES)),
      ),
      ...advanceTo(add(get(at), constant(LANE_BYTES)), [...each(step), ...each(note)]),
      ...further((lane, place) => [
        ...copy(get(findsEnd), constant(laneFindsAt(place)), subtract(get(lane.out), constant(laneFindsAt(place)))),
        ...advance(findsEnd, subtract(get(lane.out), constant(laneFindsAt(place)))),
      ]),
      ...set(state, get((lanes.at(-1) as Lane).state)),
      ...advance(at, constant((LANES - 1) * LANE_BYTES)),
    ]),
    ...advanceTo(get(to), [...step(lanes[0] as Lane, 0), ...note(lanes[0] as Lane, 0)]),
  ];
}

function laneFindsAt(place: number): number {
  return LANE_FINDS_AT + 4 * LANE_BYTES * place;
}

/** One table lookup: the state after a byte. The classes stand doubled in memory, as the table has two bytes an entry. */
function stepTo({ state }: Lane, at: number, ahead: number): Code {
  const symbol = load8(load8(get(at), ahead), CLASSES_AT);
  return set(state, load16(add(shiftLeft(get(state), CLASS_BITS + 1), symbol), TABLE_AT));
}

function noteFind({ state, out }: Lane, { from, at, accepting }: WordLocals, ahead: number): Code {
  const position = subtract(add(get(at), constant(ahead)), get(from));
  return when(isAtLeast(get(state), get(accepting)), [
    ...store(get(out), or(shiftLeft(get(state), STATE_SHIFT), position)),
    ...advance(out, constant(4)),
  ]);
}
