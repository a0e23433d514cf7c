import type { Relevance } from "../../../query/relevance.ts";
import type { Container } from "./open-elements.ts";
import type { PageBlock } from "./page-blocks.ts";
import { isHeading, linkDensity } from "./prose-worth.ts";

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
