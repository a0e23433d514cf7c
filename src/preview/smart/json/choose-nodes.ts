import type { JsonNode } from "./json-node.ts";
import type { Offer, Plan } from "./plan-preview.ts";

/** Values to show; of a scalar so many characters. */
export type Chosen = ReadonlyMap<JsonNode, number>;

/** What structure may take before the items have their share. */
const STRUCTURE_SHARE = 0.3;
const MARKER_CHARS = 26;
const SHORT_REST_CHARS = 18;
/** After so many offers in a row that do not fit, hardly a later one does. */
const MAX_REFUSED = 120;

/** Which offers are gone through in turn, and what share of the budget they may fill. */
interface Turn {
  readonly offers: readonly Offer[];
  readonly share: number;
}

/** Where the first offer was refused for a budget: up to there a larger one takes the same. */
interface Refusal {
  readonly budget: number;
  readonly turn: number;
  readonly offer: number;
  readonly used: number;
  /** Changes made before. */
  readonly changes: number;
}

/** What was chosen of a value before that was changed; undefined when nothing was. */
interface Change {
  readonly node: JsonNode;
  readonly before: number | undefined;
}

/** Takes from a plan what fits into a budget, one after the other, going on from what two of them have in common. */
export class Choice {
  readonly #chosen = new Map<JsonNode, number>();
  readonly #names: Plan["names"];
  readonly #turns: readonly Turn[];
  readonly #changes: Change[] = [];
  /** Those of rising budgets. */
  readonly #refusals: Refusal[] = [{ budget: 0, turn: 0, offer: 0, used: 0, changes: 0 }];
  #used = 0;

  constructor({ structure, items, names }: Plan) {
    this.#names = names;
    this.#turns = [
      { offers: structure, share: STRUCTURE_SHARE },
      { offers: items, share: 1 },
      { offers: structure, share: 1 },
    ];
  }

  get chosen(): Chosen {
    return this.#chosen;
  }

  /** Takes what fits into about so many characters; gives the values of which something else is chosen than before. */
  fill(budget: number): JsonNode[] {
    while ((this.#refusals.at(-1) as Refusal).budget > budget) this.#refusals.pop();
    const from = this.#refusals.at(-1) as Refusal;
    const before = new Map<JsonNode, number | undefined>();
    for (let at = from.changes; at < this.#changes.length; at++) {
      const { node } = this.#changes[at] as Change;
      before.set(node, this.#chosen.get(node));
    }
    this.#undo(from.changes);
    this.#used = from.used;
    this.#refusals.push(this.#takeFrom(from, budget));
    for (let at = from.changes; at < this.#changes.length; at++) {
      const change = this.#changes[at] as Change;
      if (!before.has(change.node)) before.set(change.node, change.before);
    }
    return [...before.keys()].filter((node) => this.#chosen.get(node) !== before.get(node));
  }

  /** Gives the first refusal; where there is none, all has been taken. */
  #takeFrom(from: Refusal, budget: number): Refusal {
    let first: Refusal | undefined;
    for (let turn = from.turn; turn < this.#turns.length; turn++) {
      const refused = this.#take(turn, turn === from.turn ? from.offer : 0, budget);
      first ??= refused;
    }
    const turn = this.#turns.length;
    return first ?? { budget, turn, offer: 0, used: this.#used, changes: this.#changes.length };
  }

  /** Gives the first refusal. */
  #take(turn: number, from: number, budget: number): Refusal | undefined {
    const { offers, share } = this.#turns[turn] as Turn;
    const most = share * budget;
    let first: Refusal | undefined;
    let refused = 0;
    for (let offer = from; offer < offers.length && refused <= MAX_REFUSED; offer++) {
      const changes = this.#changes.length;
      let cost = 0;
      for (const { node, chars } of (offers[offer] as Offer).wanted) {
        cost += this.#add(node, chars);
        if (this.#used + cost > most) break;
      }
      if (this.#used + cost > most) {
        this.#undo(changes);
        first ??= { budget, turn, offer, used: this.#used, changes };
        refused++;
      } else {
        this.#used += cost;
        refused = 0;
      }
    }
    return first;
  }

  /** What it costs to show a value and all that it stands in. */
  #add(node: JsonNode, chars: number): number {
    const before = this.#chosen.get(node);
    if (before !== undefined) {
      if (node.type !== "scalar" || before >= chars) return 0;
      this.#choose(node, chars, before);
      return costOf(node, chars) - costOf(node, before);
    }
    this.#choose(node, chars, undefined);
    let cost = costOf(node, chars);
    const { parent } = node;
    if (parent !== undefined) cost += this.#add(parent, chars);
    const names = this.#names.get(node);
    // What stands in an item is told together with whose it is.
    if (names !== undefined) for (const name of names) cost += this.#add(name.node, name.chars);
    return cost;
  }

  #choose(node: JsonNode, chars: number, before: number | undefined): void {
    this.#chosen.set(node, chars);
    this.#changes.push({ node, before });
  }

  /** Takes all but the first changes back. */
  #undo(changes: number): void {
    while (this.#changes.length > changes) {
      const { node, before } = this.#changes.pop() as Change;
      if (before === undefined) this.#chosen.delete(node);
      else this.#chosen.set(node, before);
    }
  }
}

/** The children of a container to show: those chosen, or all where the rest takes no more than saying how much that is. */
export function shownChildren({ children, count }: JsonNode, chosen: Chosen): readonly JsonNode[] {
  const shown = children.filter((child) => chosen.has(child));
  if (shown.length === 0 || shown.length === children.length || children.length < count) return shown;
  let chars = 0;
  for (const child of children) {
    if (chosen.has(child)) continue;
    chars += child.head.text.length + 2;
    if (child.count > 0 || chars > SHORT_REST_CHARS) return shown;
  }
  return children;
}

function costOf(node: JsonNode, chars: number): number {
  const { text } = node.head;
  if (node.type !== "scalar") return text.length + (node.count > 0 ? MARKER_CHARS : 4);
  return text.length <= chars ? text.length + 3 : chars + 3;
}
