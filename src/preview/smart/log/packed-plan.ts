import { type AutomatonPlan, STATE_NUMBERS, STATE_SHOWN } from "./automaton-plan.ts";

/** A plan as the build writes it down: in few characters, all of them up to 127, since an engine reads them one by one. */
export interface PackedPlan {
  readonly nodes: number;
  readonly classes: string;
  readonly children: PackedList;
  readonly symbols: string;
  readonly kinds: PackedList;
  /** How many kinds there are, and of those numbers that are not the usual ones, where they stand and what they are. */
  readonly found: readonly [kinds: number, places: string, numbers: string];
}

/**
 * Where a list has another number than most: how many places further than the last, and the number there, a character
 * each. A second one for the same place is the part of the number that takes more than a character.
 */
type PackedList = readonly [gaps: string, numbers: string];

const CHARACTERS = 128;
/** Nearly all nodes have one child, and hold no word that ends in them. */
const USUAL_CHILDREN = 1;
const USUAL_KIND = 0;

/** Packs a plan without words that are asked for. */
export function packPlan({ classes, children, symbols, kinds, found }: AutomatonPlan): PackedPlan {
  const numbers = Array.from(found.entries()).filter(([at, number]) => number !== usualNumber(at));
  return {
    nodes: children.length,
    classes: String.fromCharCode(...classes),
    children: packList(children, USUAL_CHILDREN),
    symbols: String.fromCharCode(...symbols),
    kinds: packList(kinds, USUAL_KIND),
    found: [
      found.length / STATE_NUMBERS,
      numbers.map(([at]) => at).join(" "),
      numbers.map(([, number]) => number).join(" "),
    ],
  };
}

/** The plan that was packed. */
export function unpackPlan({ nodes, classes, children, symbols, kinds, found }: PackedPlan): AutomatonPlan {
  const encoder = new TextEncoder();
  return {
    classes: encoder.encode(classes),
    children: unpackList(children, new Uint8Array(nodes).fill(USUAL_CHILDREN)),
    symbols: encoder.encode(symbols),
    kinds: unpackList(kinds, new Uint16Array(nodes)),
    found: unpackFound(...found),
    asked: new Map(),
  };
}

function usualNumber(at: number): number {
  return at % STATE_NUMBERS === STATE_SHOWN ? ~0 : 0;
}

function unpackFound(kinds: number, places: string, numbers: string): Int32Array {
  const found = new Int32Array(kinds * STATE_NUMBERS);
  for (let kind = 0; kind < kinds; kind++) found[kind * STATE_NUMBERS + STATE_SHOWN] = ~0;
  const all = numbers.split(" ");
  places.split(" ").forEach((at, index) => {
    found[Number(at)] = Number(all[index]);
  });
  return found;
}

function packList(list: Uint8Array | Uint16Array, usual: number): PackedList {
  const gaps: number[] = [];
  const numbers: number[] = [];
  let last = -1;
  list.forEach((number, at) => {
    if (number === usual && at - last < CHARACTERS - 1) return;
    gaps.push(at - last);
    numbers.push(number % CHARACTERS);
    last = at;
    if (number < CHARACTERS) return;
    gaps.push(0);
    numbers.push(Math.floor(number / CHARACTERS));
  });
  return [String.fromCharCode(...gaps), String.fromCharCode(...numbers)];
}

function unpackList<List extends Uint8Array | Uint16Array>([gaps, numbers]: PackedList, list: List): List {
  let at = -1;
  for (let index = 0; index < gaps.length; index++) {
    const gap = gaps.charCodeAt(index);
    const number = numbers.charCodeAt(index);
    at += gap;
    list[at] = gap === 0 ? (list[at] as number) + CHARACTERS * number : number;
  }
  return list;
}

/** Bytes of any value, in Base64. */
export function packBytes(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** The bytes that were packed. */
export function unpackBytes(packed: string): Uint8Array<ArrayBuffer> {
  const characters = atob(packed);
  const bytes = new Uint8Array(characters.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = characters.charCodeAt(at);
  return bytes;
}
