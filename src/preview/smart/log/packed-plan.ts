import type { AutomatonPlan } from "./automaton-plan.ts";

/** A plan as the build writes it down. Strings are of characters up to 127, which are turned into bytes at once. */
export interface PackedPlan {
  readonly classes: string;
  readonly children: string;
  readonly symbols: string;
  readonly kinds: string;
  /** Nodes of kinds that are no such character, each with its kind. */
  readonly rare: readonly (readonly [node: number, kind: number])[];
  readonly found: readonly number[];
}

const CHARACTERS = 128;

/** Packs a plan without words that are asked for. */
export function packPlan({ classes, children, symbols, kinds, found }: AutomatonPlan): PackedPlan {
  const spell = (bytes: Iterable<number>): string => String.fromCharCode(...bytes);
  return {
    classes: spell(classes),
    children: spell(children),
    symbols: spell(symbols),
    kinds: spell(kinds.map((kind) => (kind < CHARACTERS ? kind : 0))),
    rare: Array.from(kinds.entries()).filter(([, kind]) => kind >= CHARACTERS),
    found: [...found],
  };
}

/** The plan that was packed. */
export function unpackPlan(packed: PackedPlan): AutomatonPlan {
  const encoder = new TextEncoder();
  const kinds = new Uint16Array(encoder.encode(packed.kinds));
  for (const [node, kind] of packed.rare) kinds[node] = kind;
  return {
    classes: encoder.encode(packed.classes),
    children: encoder.encode(packed.children),
    symbols: encoder.encode(packed.symbols),
    kinds,
    found: Int32Array.from(packed.found),
    asked: new Map(),
  };
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
