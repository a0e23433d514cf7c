import type { Relevance } from "../../../query/relevance.ts";
import { copyText } from "../../lines/line-drawing.ts";
import type { Container } from "./elements.ts";
import type { PageBlock } from "./page-blocks.ts";

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

const MAX_CONTAINERS = 4000;
/** How much a container counts for the text within, and how much a text counts for the containers around. */
const LEVELS = [1, 0.6, 0.35, 0.2, 0.12];
const NEARNESS = [1, 1, 0.85, 0.7, 0.55];

/** What tags and classes say of the usual text of a page is at least this, or they say nothing. */
const LEAST_PLACE = 0.3;

/** Finds the part of a page that is about something, in the manner of a reader view. */
export class PageRanking {
  readonly #relevance: Relevance;
  /** Those with credit, as long as they are remembered. */
  #containers: Container[] = [];
  /** The credit of the best container. */
  #most = 1;
  #prose = 0;
  #credit = 0;

  constructor(relevance: Relevance) {
    this.#relevance = relevance;
  }

  /** Credits the containers around a block for its text. */
  note(block: PageBlock): void {
    const credit = block.prose * Math.min(1, block.placeWeight);
    if (credit <= 0) return;
    this.#prose += block.prose;
    this.#credit += credit;
    for (let level = 0; level < block.around.length; level++) {
      const container = block.around[level] as Container;
      if (container.credit === 0) this.#containers.push(container);
      container.credit += credit * (LEVELS[level] ?? 0);
      if (container.credit > this.#most) this.#most = container.credit;
    }
    if (this.#containers.length <= MAX_CONTAINERS) return;
    this.#containers.sort((a, b) => b.credit - a.credit);
    for (const forgotten of this.#containers.splice(MAX_CONTAINERS / 2)) forgotten.credit = 0;
  }

  /** Sets what every block is worth; the blocks are in order. */
  score(blocks: readonly PageBlock[]): void {
    const most = this.#most;
    // Where nearly all that the page says stands in a place for something else, the place tells nothing.
    const usual = Math.min(1, this.#credit / Math.max(1, this.#prose) / LEAST_PLACE);
    let following = 0;
    for (let index = blocks.length - 1; index >= 0; index--) {
      const block = blocks[index] as PageBlock;
      const around = this.#around(block) / most;
      const density = linkDensity(block);
      const asked = this.#relevance.score(block.tally, block.text.length / 300);
      block.asked = asked * (1 - density) * Math.min(1, block.placeWeight);
      if (isHeading(block)) {
        // A heading is worth what stands below it.
        block.place = following * (1 - 0.5 * density);
      } else {
        const weight = usual === 1 ? block.placeWeight : Math.min(1, block.placeWeight / usual);
        block.place = (0.15 + around) * weight * (1 - density) ** 2;
        following = block.place;
      }
      block.score = block.place * (Math.min(3, block.prose + formWorth(block)) + 0.8 * asked);
    }
  }

  #around(block: PageBlock): number {
    let best = 0;
    for (let level = 0; level < block.around.length; level++) {
      best = Math.max(best, (block.around[level] as Container).credit * (NEARNESS[level] ?? 0));
    }
    return best;
  }
}

/** Preformatted text, table rows and headings speak without being prose. */
function formWorth(block: PageBlock): number {
  if (block.kind === "pre" || isHeading(block)) return 1.2;
  return block.kind === "tr" ? 0.5 : 0.15;
}

const STOPS = /[,.;:!?]\s|[.!?]["”’']?$|[。、，]/g;
/** More stops count no more. */
const MOST_STOPS = 8;

/** True for a heading of any level. */
export function isHeading(block: PageBlock): boolean {
  const { kind } = block;
  return kind.length === 2 && kind.charCodeAt(0) === 104 && kind.charCodeAt(1) >= 49 && kind.charCodeAt(1) <= 54;
}

/** The share of a block's text that is links. */
export function linkDensity(block: PageBlock): number {
  return Math.min(1, block.linkChars / Math.max(1, block.text.length));
}

/** How much a block reads like running text. */
export function proseWorth(block: PageBlock): number {
  const { text } = block;
  if (text.length < 25 || isHeading(block) || block.kind === "title") return 0;
  let stops = 0;
  STOPS.lastIndex = 0;
  while (stops < MOST_STOPS && STOPS.test(text)) stops++;
  return (Math.min(3, text.length / 150) + stops * 0.25) * (1 - linkDensity(block)) ** 2;
}
