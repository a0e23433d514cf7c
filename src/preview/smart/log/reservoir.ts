import type { Row } from "./row.ts";

/** Rows that belong together, as found while reading. */
export interface Block {
  readonly score: number;
  readonly reason: string;
  /** Of its first row, as in `Candidate`. */
  readonly kind: number;
  /** How many blocks of its template had come with it. */
  readonly occurrence: number;
  /** True when its template is a rule of a linter or compiler. */
  readonly ruled: boolean;
  /** In order; `factor` times the score is what a row is worth. */
  readonly rows: readonly BlockRow[];
  /** What it takes of a reservoir. */
  readonly chars: number;
  readonly order: number;
}

export interface BlockRow {
  readonly row: Row;
  readonly factor: number;
}

/** Keeps the best blocks and the latest ones, within a number of characters. */
export class Reservoir {
  readonly #capacity: number;
  #best: Block[] = [];
  #bestChars = 0;
  #floor = -1;
  /** Until then the best are all that came, in order. */
  #pruned = false;
  #recent: Block[] = [];
  #recentChars = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** A block of this score would not be kept among the best. */
  rejects(score: number): boolean {
    return score <= this.#floor;
  }

  add(block: Block): void {
    this.#recent.push(block);
    this.#recentChars += block.chars;
    while (this.#recentChars > this.#capacity / 2 && this.#recent.length > 1) {
      this.#recentChars -= (this.#recent.shift() as Block).chars;
    }
    if (block.score <= this.#floor) return;
    this.#best.push(block);
    this.#bestChars += block.chars;
    if (this.#bestChars > 2 * this.#capacity) this.#prune();
  }

  /** Everything kept, in the order it came. */
  blocks(): readonly Block[] {
    if (!this.#pruned) return this.#best;
    const held = new Set(this.#best);
    for (const block of this.#recent) held.add(block);
    return [...held].sort((a, b) => a.order - b.order);
  }

  #prune(): void {
    this.#pruned = true;
    this.#best.sort((a, b) => b.score - a.score || a.order - b.order);
    let chars = 0;
    let kept = 0;
    while (kept < this.#best.length && chars <= this.#capacity) chars += (this.#best[kept++] as Block).chars;
    this.#floor = this.#best[kept]?.score ?? this.#floor;
    this.#best = this.#best.slice(0, kept);
    this.#bestChars = chars;
  }
}

/** Characters that a block takes, with what stands around them in memory. */
export function sizeOfRows(rows: readonly BlockRow[]): number {
  let chars = 200;
  for (const { row } of rows) chars += row.raw.length + 60;
  return chars;
}
