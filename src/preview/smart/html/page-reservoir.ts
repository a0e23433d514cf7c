import type { PageBlock } from "./page-blocks.ts";
import type { PageRanking } from "./page-ranking.ts";

/** What a block and one of its places take beside the text. */
const BLOCK_COST = 200;
const RUN_COST = 100;
/** The first blocks that are no menus stay, however long the page gets. */
const FIRST = 40;
/** Steps of what a block may be worth; and with the places of equals. */
const STEPS = 64;
const RANKS = STEPS * 33;

/** Holds the blocks of a page in bounded memory: when it runs short, the worse half goes, of equals every second. */
export class PageReservoir {
  readonly #ranking: PageRanking;
  readonly #maxCost: number;
  #held: PageBlock[] = [];
  #cost = 0;
  #firstLeft = FIRST;
  readonly #firsts = new Set<number>();
  /** Blocks weighed when memory ran short. */
  weighed = 0;

  constructor(ranking: PageRanking, maxCost: number) {
    this.#ranking = ranking;
    this.#maxCost = maxCost;
  }

  add(block: PageBlock): void {
    this.#ranking.note(block);
    this.#held.push(block);
    this.#cost += costOf(block);
    if (this.#firstLeft > 0 && block.placeWeight > 0.5 && block.linkChars * 2 < block.text.length) {
      this.#firstLeft--;
      this.#firsts.add(block.index);
    }
    if (this.#cost >= this.#maxCost) this.#halve();
  }

  /** The blocks held, in order, with their worth. */
  ranked(): readonly PageBlock[] {
    this.#ranking.score(this.#held);
    return this.#held;
  }

  #halve(): void {
    this.weighed += this.#held.length;
    this.#ranking.score(this.#held);
    const ranks = this.#held.map((block) => this.#rank(block));
    const costs = new Float64Array(RANKS);
    this.#held.forEach((block, at) => {
      costs[ranks[at] as number]! += costOf(block);
    });
    let room = this.#maxCost / 2;
    let last = RANKS - 1;
    for (; last > 0 && (costs[last] as number) <= room; last--) room -= costs[last] as number;
    this.#cost = this.#maxCost / 2 - room;
    let full = false;
    this.#held = this.#held.filter((block, at) => {
      if (ranks[at] !== last) return (ranks[at] as number) > last;
      full ||= costOf(block) > room;
      if (!full) {
        room -= costOf(block);
        this.#cost += costOf(block);
      }
      return !full;
    });
  }

  /** By coarse steps, so that blocks of one article are equals; these are thinned out evenly, the rounder index first. */
  #rank(block: PageBlock): number {
    const first = block.kind === "title" || this.#firsts.has(block.index);
    const worth = first
      ? STEPS - 1
      : Math.min(STEPS - 2, Math.round(Math.log2(block.place + block.asked + 0.001) * 2) + 20);
    return worth * 33 + roundness(block.index);
  }
}

/** How often a number can be halved: the more often, the longer a block stays among equals. */
function roundness(index: number): number {
  return index === 0 ? 32 : 31 - Math.clz32(index & -index);
}

function costOf(block: PageBlock): number {
  return block.text.length + BLOCK_COST + RUN_COST * block.runs.length;
}
