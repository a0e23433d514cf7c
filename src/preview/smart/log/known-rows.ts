const SLOTS = 8192;
const NONE = -1;

/**
 * What rows scored that read alike but for their numbers, so that a repeat need not be decoded. Bounded: a newer row
 * takes the place of an older one.
 */
export class KnownRows {
  readonly #fingerprints = new Float64Array(SLOTS).fill(NONE);
  readonly #scores = new Float64Array(SLOTS);
  readonly #templates = new Float64Array(SLOTS);

  /** The score of an earlier row with this fingerprint. */
  scoreOf(fingerprint: number): number | undefined {
    const slot = fingerprint & (SLOTS - 1);
    return this.#fingerprints[slot] === fingerprint ? this.#scores[slot] : undefined;
  }

  /** The template of a row whose score is known. */
  templateOf(fingerprint: number): number {
    return this.#templates[fingerprint & (SLOTS - 1)] ?? 0;
  }

  set(fingerprint: number, score: number, template: number): void {
    const slot = fingerprint & (SLOTS - 1);
    this.#fingerprints[slot] = fingerprint;
    this.#scores[slot] = score;
    this.#templates[slot] = template;
  }
}
