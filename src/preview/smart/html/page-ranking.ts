import type { Relevance } from "../lines/relevance.ts";
import type { PageBlock } from "./page-blocks.ts";

const MAX_CONTAINERS = 20_000;

/** Finds the part of a page that is about something, in the manner of a reader view. */
export class PageRanking {
  readonly #relevance: Relevance;
  #containers = new Map<number, number>();

  constructor(relevance: Relevance) {
    this.#relevance = relevance;
  }

  /** Credits the containers around a block for its text. */
  note(block: PageBlock): void {
    const credit = prose(block);
    if (credit <= 0) return;
    block.around.forEach((id, level) => {
      this.#containers.set(id, (this.#containers.get(id) ?? 0) + credit * (LEVELS[level] ?? 0));
    });
    if (this.#containers.size <= MAX_CONTAINERS) return;
    const best = [...this.#containers].sort((a, b) => b[1] - a[1]).slice(0, MAX_CONTAINERS / 2);
    this.#containers = new Map(best);
  }

  /** What is worth keeping for now, in order. */
  bestHalf(blocks: readonly PageBlock[]): PageBlock[] {
    this.score(blocks);
    const middle = blocks.map((block) => block.score).sort((a, b) => b - a)[blocks.length >> 1] ?? 0;
    let left = blocks.length >> 1;
    return blocks.filter((block) => block.score >= middle && left-- > 0);
  }

  /** Sets every block's score. */
  score(blocks: readonly PageBlock[]): void {
    let most = 1;
    for (const score of this.#containers.values()) most = Math.max(most, score);
    let following = 0;
    for (let index = blocks.length - 1; index >= 0; index--) {
      const block = blocks[index] as PageBlock;
      const around = Math.max(0, ...block.around.map((id) => this.#containers.get(id) ?? 0)) / most;
      const density = block.linkChars / Math.max(1, block.text.length);
      const asked = this.#relevance.score(block.tally, block.text.length / 300) * (1 - density);
      const place = (0.15 + around) * block.placeWeight;
      if (block.kind === "title") block.score = 100;
      else if (HEADING.test(block.kind)) {
        // A heading is worth what stands below it.
        block.score =
          (0.9 * following + 0.3 * asked * block.placeWeight) * (1 - 0.7 * density) + (block.kind === "h1" ? 0.5 : 0);
      } else {
        block.score = place * (Math.min(3, Math.max(0, prose(block)) + FORM(block)) + 0.8 * asked) * (1 - density) ** 2;
        following = block.score;
      }
    }
  }
}

const LEVELS = [1, 0.6, 0.3, 0.15];
const HEADING = /^h[1-6]$/;

/** Preformatted text and table rows speak without being prose. */
const FORM = (block: PageBlock): number => (block.kind === "pre" ? 1.2 : block.kind === "tr" ? 0.5 : 0.15);

/** How much a block reads like running text. */
function prose(block: PageBlock): number {
  const { text } = block;
  if (text.length < 25 || HEADING.test(block.kind) || block.kind === "title") return 0;
  const density = block.linkChars / text.length;
  const stops = (text.match(/[,.;:!?。，]\s|[.!?]["”’']?$/g) ?? []).length;
  return (
    (Math.min(3, text.length / 150) + Math.min(2, stops * 0.25)) * (1 - density) ** 2 * Math.min(1, block.placeWeight)
  );
}
