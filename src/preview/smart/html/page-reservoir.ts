import { copyText } from "../../lines/held-line.ts";
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
  #lastFirst = -1;
  /** The first block whose text is not its own yet. */
  #shared = 0;
  /** What the blocks cost that have each rank. */
  readonly #costs = new Float64Array(RANKS);
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
      this.#lastFirst = block.index;
    }
    if (this.#cost >= this.#maxCost) this.#halve();
  }

  /** The source that was read is left: what is still held gets texts of its own, which most blocks do not live to see. */
  leave(): void {
    const held = this.#held;
    for (let at = held.length - 1; at >= 0; at--) {
      const block = held[at] as PageBlock;
      if (block.index < this.#shared) break;
      block.text = copyText(block.text);
    }
    this.#shared = (held.at(-1)?.index ?? -1) + 1;
  }

  /** The blocks held, in order, with their worth. */
  ranked(): readonly PageBlock[] {
    this.#ranking.score(this.#held);
    return this.#held;
  }

  #halve(): void {
    const held = this.#held;
    this.weighed += held.length;
    this.#ranking.score(held);
    const ranks = this.#ranks();
    const costs = this.#costs.fill(0);
    for (let at = 0; at < held.length; at++) costs[ranks[at] as number]! += costOf(held[at] as PageBlock);
    let room = this.#maxCost / 2;
    let last = RANKS - 1;
    for (; last > 0 && (costs[last] as number) <= room; last--) room -= costs[last] as number;
    this.#cost = this.#maxCost / 2 - room;
    const kept: PageBlock[] = [];
    let full = false;
    for (let at = 0; at < held.length; at++) {
      const block = held[at] as PageBlock;
      const rank = ranks[at] as number;
      if (rank < last) continue;
      if (rank === last) {
        full ||= costOf(block) > room;
        if (full) continue;
        room -= costOf(block);
        this.#cost += costOf(block);
      }
      kept.push(block);
    }
    this.#held = kept;
  }

  /** By coarse steps, so that blocks of one article are equals; these are thinned out evenly, the rounder index first. */
  #ranks(): Uint16Array {
    const held = this.#held;
    const ranks = new Uint16Array(held.length);
    let worth = Number.NaN;
    let step = 0;
    for (let at = 0; at < held.length; at++) {
      const block = held[at] as PageBlock;
      const own = block.place + block.asked + 0.001;
      // What stands side by side is often worth the same.
      if (own !== worth) {
        worth = own;
        step = Math.min(STEPS - 2, Math.round(Math.log2(own) * 2) + 20);
      }
      ranks[at] = (this.#isFirst(block) ? STEPS - 1 : step) * 33 + roundness(block.index);
    }
    return ranks;
  }

  #isFirst(block: PageBlock): boolean {
    return block.kind === "title" || (block.index <= this.#lastFirst && this.#firsts.has(block.index));
  }
}

/** How often a number can be halved: the more often, the longer a block stays among equals. */
function roundness(index: number): number {
  return index === 0 ? 32 : 31 - Math.clz32(index & -index);
}

function costOf(block: PageBlock): number {
  return block.text.length + BLOCK_COST + RUN_COST * block.runs.length;
}
