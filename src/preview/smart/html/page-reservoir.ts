import type { PageBlock } from "./page-blocks.ts";
import type { PageRanking } from "./page-ranking.ts";

/** What a block and one of its places take beside the text. */
const BLOCK_COST = 200;
const RUN_COST = 100;
/** The first blocks that are no menus stay, however long the page gets. */
const FIRST = 40;

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
    const ranked = this.#held
      .map((block) => ({ block, worth: this.#worth(block) }))
      .sort((a, b) => b.worth - a.worth || roundness(b.block.index) - roundness(a.block.index));
    const kept: PageBlock[] = [];
    this.#cost = 0;
    for (const { block } of ranked) {
      const cost = costOf(block);
      if (this.#cost + cost > this.#maxCost / 2) break;
      this.#cost += cost;
      kept.push(block);
    }
    this.#held = kept.sort((a, b) => a.index - b.index);
  }

  /** Coarse steps, so that blocks of one article are equals and thinned out evenly. */
  #worth(block: PageBlock): number {
    if (block.kind === "title" || this.#firsts.has(block.index)) return 1000;
    return Math.round(Math.log2(block.place + block.asked + 0.001) * 2);
  }
}

/** How often a number can be halved: the more often, the longer a block stays among equals. */
function roundness(index: number): number {
  return index === 0 ? 32 : 31 - Math.clz32(index & -index);
}

function costOf(block: PageBlock): number {
  return block.text.length + BLOCK_COST + RUN_COST * block.runs.length;
}
