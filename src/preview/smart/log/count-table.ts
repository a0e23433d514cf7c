const FEWEST_SLOTS = 512;

/**
 * How often numbers came, and the highest score that came with each: a map without an object for each entry. Bounded:
 * what comes when it is full counts as new each time.
 */
export class CountTable {
  readonly #most: number;
  /** A number stands in the first free slot from its own on; half of the slots are free at least. */
  #slots = FEWEST_SLOTS;
  #numbers = new Float64Array(FEWEST_SLOTS);
  /** 0 for a free slot. */
  #counts = new Uint32Array(FEWEST_SLOTS);
  #scores = new Float64Array(FEWEST_SLOTS);
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  countOf(number: number): number {
    return this.#counts[this.#slotOf(number)] as number;
  }

  /** The highest score of a number that came `least` times; undefined while it did not. */
  scoreOf(number: number, least: number): number | undefined {
    const slot = this.#slotOf(number);
    return (this.#counts[slot] as number) >= least ? this.#scores[slot] : undefined;
  }

  /** Counts one more and gives the number so far. */
  add(number: number, score: number): number {
    const slot = this.#slotOf(number);
    const count = (this.#counts[slot] as number) + 1;
    if (count === 1) {
      if (this.#size >= this.#most) return 1;
      this.#size++;
      this.#numbers[slot] = number;
      this.#scores[slot] = score;
    } else if (score > (this.#scores[slot] as number)) this.#scores[slot] = score;
    this.#counts[slot] = count;
    if (2 * this.#size > this.#slots) this.#grow();
    return count;
  }

  #slotOf(number: number): number {
    const last = this.#slots - 1;
    let slot = (number ^ (number >>> 16)) & last;
    while (this.#counts[slot] !== 0 && this.#numbers[slot] !== number) slot = (slot + 1) & last;
    return slot;
  }

  #grow(): void {
    const numbers = this.#numbers;
    const counts = this.#counts;
    const scores = this.#scores;
    this.#slots *= 4;
    this.#numbers = new Float64Array(this.#slots);
    this.#counts = new Uint32Array(this.#slots);
    this.#scores = new Float64Array(this.#slots);
    for (let from = 0; from < counts.length; from++) {
      if (counts[from] === 0) continue;
      const slot = this.#slotOf(numbers[from] as number);
      this.#numbers[slot] = numbers[from] as number;
      this.#counts[slot] = counts[from] as number;
      this.#scores[slot] = scores[from] as number;
    }
  }
}
