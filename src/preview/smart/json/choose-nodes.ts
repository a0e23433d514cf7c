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

/** Takes from the plan what fits into about `budget` characters. */
export function chooseNodes(plan: Plan, budget: number): Chosen {
  const choice = new Choice(plan);
  choice.take(plan.structure, budget * STRUCTURE_SHARE);
  choice.take(plan.items, budget);
  choice.take(plan.structure, budget);
  choice.complete();
  return choice.chosen;
}

class Choice {
  readonly chosen = new Map<JsonNode, number>();
  readonly #plan: Plan;
  #used = 0;

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  take(offers: readonly Offer[], budget: number): void {
    let refused = 0;
    for (const { wanted } of offers) {
      const fresh = new Map<JsonNode, number>();
      let cost = 0;
      for (const { node, chars } of wanted) cost += this.#add(node, chars, fresh);
      if (this.#used + cost > budget) {
        if (++refused > MAX_REFUSED) return;
        continue;
      }
      refused = 0;
      this.#used += cost;
      for (const [node, chars] of fresh) this.chosen.set(node, chars);
    }
  }

  /** Shows the rest of a container where that takes no more than saying how much is left out. */
  complete(): void {
    for (const node of [...this.chosen.keys()]) {
      if (node.type === "scalar" || node.children.length < node.count) continue;
      const rest = node.children.filter((child) => !this.chosen.has(child));
      if (rest.length === node.count || rest.some((child) => child.count > 0)) continue;
      const chars = rest.reduce((sum, child) => sum + child.head.text.length + 2, 0);
      if (chars <= SHORT_REST_CHARS) for (const child of rest) this.chosen.set(child, SHORT_REST_CHARS);
    }
  }

  /** What it costs to show a value and all that it stands in. */
  #add(node: JsonNode, chars: number, fresh: Map<JsonNode, number>): number {
    const before = fresh.get(node) ?? this.chosen.get(node);
    if (before !== undefined) {
      if (node.type !== "scalar" || before >= chars) return 0;
      fresh.set(node, chars);
      return costOf(node, chars) - costOf(node, before);
    }
    fresh.set(node, chars);
    let cost = costOf(node, chars);
    const { parent } = node;
    if (parent !== undefined) cost += this.#add(parent, chars, fresh);
    // What stands in an item is told together with whose it is.
    for (const name of this.#plan.names.get(node) ?? []) cost += this.#add(name.node, name.chars, fresh);
    return cost;
  }
}

function costOf(node: JsonNode, chars: number): number {
  const { text } = node.head;
  if (node.type !== "scalar") return text.length + (node.count > 0 ? MARKER_CHARS : 4);
  return text.length <= chars ? text.length + 3 : chars + 3;
}
