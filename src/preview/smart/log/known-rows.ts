const FEWEST_SLOTS = 512;
const MOST_SLOTS = 32_768;
const NONE = -1;

/**
 * What rows scored that read alike but for their numbers, so that a repeat need not be decoded. Bounded: a newer row
 * takes the place of an older one.
 */
export class KnownRows {
  #slots = FEWEST_SLOTS;
  #fingerprints = new Float64Array(FEWEST_SLOTS).fill(NONE);
  #scores = new Float64Array(FEWEST_SLOTS);
  #templates = new Float64Array(FEWEST_SLOTS);
  #added = 0;

  /** The score of an earlier row with this fingerprint. */
  scoreOf(fingerprint: number): number | undefined {
    const slot = fingerprint & (this.#slots - 1);
    return this.#fingerprints[slot] === fingerprint ? this.#scores[slot] : undefined;
  }

  /** The template of a row whose score is known. */
  templateOf(fingerprint: number): number {
    return this.#templates[fingerprint & (this.#slots - 1)] ?? 0;
  }

  set(fingerprint: number, score: number, template: number): void {
    if (++this.#added > this.#slots && this.#slots < MOST_SLOTS) this.#grow();
    const slot = fingerprint & (this.#slots - 1);
    this.#fingerprints[slot] = fingerprint;
    this.#scores[slot] = score;
    this.#templates[slot] = template;
  }

  /** Short outputs are many, and should not pay for what only long ones need. */
  #grow(): void {
    const known = this.#fingerprints;
    const scores = this.#scores;
    const templates = this.#templates;
    this.#slots = Math.min(MOST_SLOTS, 4 * this.#slots);
    this.#fingerprints = new Float64Array(this.#slots).fill(NONE);
    this.#scores = new Float64Array(this.#slots);
    this.#templates = new Float64Array(this.#slots);
    known.forEach((fingerprint, slot) => {
      if (fingerprint !== NONE) this.set(fingerprint, scores[slot] as number, templates[slot] as number);
    });
  }
}
