import type { AutomatonPlan } from "./automaton.ts";

/** A plan as the build writes it down. Strings are of characters up to 127, which are turned into bytes at once. */
export interface PackedPlan {
  readonly classes: string;
  readonly children: string;
  readonly symbols: string;
  /** Nodes in which words end, and the masks of each, one for each bank. */
  readonly ends: readonly number[];
  readonly masks: readonly number[];
  readonly stops: readonly number[];
}

/** Packs a plan. */
export function packPlan(plan: AutomatonPlan, banks = 1): PackedPlan {
  const { classes, children, symbols, masks, stops } = plan;
  const spell = (bytes: Uint8Array): string => String.fromCharCode(...bytes);
  const masksOf = (node: number): Uint32Array => masks.subarray(node * banks, (node + 1) * banks);
  const ends = [...children.keys()].filter((node) => masksOf(node).some((mask) => mask !== 0));
  return {
    classes: spell(classes),
    children: spell(children),
    symbols: spell(symbols),
    ends,
    masks: ends.flatMap((node) => [...masksOf(node)]),
    stops: [...stops.keys()].filter((node) => stops[node] === 1),
  };
}

/** The plan that was packed. */
export function unpackPlan(packed: PackedPlan, banks = 1): AutomatonPlan {
  const encoder = new TextEncoder();
  const children = encoder.encode(packed.children);
  const masks = new Uint32Array(children.length * banks);
  packed.ends.forEach((node, place) => {
    for (let bank = 0; bank < banks; bank++) masks[node * banks + bank] = packed.masks[place * banks + bank] as number;
  });
  const stops = new Uint8Array(children.length);
  for (const node of packed.stops) stops[node] = 1;
  return { classes: encoder.encode(packed.classes), children, symbols: encoder.encode(packed.symbols), masks, stops };
}
