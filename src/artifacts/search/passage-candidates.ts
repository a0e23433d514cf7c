import { ERROR_WORDS, type PassageQuestion } from "../../query/passage-question.ts";
import type { Hit } from "./ripgrep.ts";

/** Bytes of a file that share one count of hits. */
const BUCKET_BYTES = 1024;
const MAX_BUCKETS = 200_000;
const ERROR_WEIGHT = 0.6;

/** A place worth reading: the line of a stretch that holds the rarest words. */
export interface Candidate {
  readonly path: string;
  readonly line: number;
  readonly startByte: number;
  /** Score by rarity of the words on the line. */
  readonly weight: number;
}

/** The first hit on a line, and the words found on it so far: one bit per stem, then one per error word. */
interface LineHits {
  readonly line: number;
  readonly startByte: number;
  found: number;
}

interface Bucket {
  readonly path: string;
  found: number;
  best: LineHits;
  current: LineHits;
}

/** Counts hits by place, in bounded memory, and names the places with the rarest combination of words. */
export class CandidateCounter {
  readonly #words: readonly string[];
  readonly #stemCount: number;
  readonly #buckets = new Map<number, Bucket>();
  readonly #bucketsWith: number[];
  readonly #files = new Map<string, number>();
  readonly #wordsIn = new Map<string, number>();
  #last: { path: string; number: number; bucket: Bucket } | undefined;
  #dropped = 0;

  constructor(question: PassageQuestion) {
    this.#words = [...question.stems, ...ERROR_WORDS.filter((word) => !question.stems.includes(word))].slice(0, 31);
    this.#stemCount = Math.min(question.stems.length, 31);
    this.#bucketsWith = this.#words.map(() => 0);
  }

  /** Search terms, case-insensitive: the question's stems and failure words. */
  get words(): readonly string[] {
    return this.#words;
  }

  add(hit: Hit): void {
    const bucket = this.#bucketOf(hit);
    const words = this.#findWords(hit.text);
    if (hit.line !== bucket.current.line) bucket.current = { line: hit.line, startByte: hit.startByte, found: 0 };
    bucket.current.found |= words;
    const missing = words & ~bucket.found;
    if ((bucket.current.found & ~bucket.best.found) !== 0) this.#compareLines(bucket);
    if (missing === 0) return;
    bucket.found |= missing;
    for (let at = 0; at < this.#words.length; at++) {
      if ((missing & (1 << at)) !== 0) this.#bucketsWith[at] = (this.#bucketsWith[at] as number) + 1;
    }
  }

  /** How much rarer than the rarest-possible each stem is, as a factor for ranking. */
  rarity(stem: string): number {
    const at = this.#words.indexOf(stem);
    return at === -1 ? 1 : this.#rarityAt(at);
  }

  /** The highest scores first; lines with only failure words come after those with a word of the question. */
  best(count: number): Candidate[] {
    return [...this.#buckets.values()]
      .map(({ path, best, found }) => ({
        path,
        line: best.line,
        startByte: best.startByte,
        weight: this.#weight(best.found) + this.#weight(found) / 4,
      }))
      .sort((left, right) => right.weight - left.weight)
      .slice(0, count);
  }

  #bucketOf(hit: Hit): Bucket {
    const number = Math.floor(hit.startByte / BUCKET_BYTES);
    if (this.#last?.number === number && this.#last.path === hit.path) return this.#last.bucket;
    const file = this.#files.get(hit.path) ?? this.#files.size;
    this.#files.set(hit.path, file);
    const key = file * 2 ** 32 + number;
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      if (this.#buckets.size >= MAX_BUCKETS) this.#prune();
      const line = { line: hit.line, startByte: hit.startByte, found: 0 };
      bucket = { path: hit.path, found: 0, best: line, current: line };
      this.#buckets.set(key, bucket);
    }
    this.#last = { path: hit.path, number, bucket };
    return bucket;
  }

  #compareLines(bucket: Bucket): void {
    if (this.#weight(bucket.current.found) > this.#weight(bucket.best.found)) bucket.best = bucket.current;
  }

  /** The bits of the words that a match holds; matches are few different texts. */
  #findWords(text: string): number {
    let bits = this.#wordsIn.get(text);
    if (bits === undefined) {
      const lower = text.toLowerCase();
      bits = this.#words.reduce((sum, word, at) => (lower.includes(word) ? sum | (1 << at) : sum), 0);
      if (this.#wordsIn.size < 10_000) this.#wordsIn.set(text, bits);
    }
    return bits;
  }

  #weight(found: number): number {
    let weight = 0;
    let error = false;
    for (let at = 0; at < this.#words.length; at++) {
      if ((found & (1 << at)) === 0) continue;
      if (at < this.#stemCount) weight += this.#rarityAt(at);
      else error = true;
    }
    return weight + (error ? ERROR_WEIGHT : 0);
  }

  #rarityAt(at: number): number {
    const total = this.#buckets.size + this.#dropped + 1;
    const having = this.#bucketsWith[at] as number;
    return Math.log(1 + (total - having + 0.5) / (having + 0.5)) + 0.05;
  }

  #prune(): void {
    const entries = [...this.#buckets].sort(
      (left, right) => this.#weight(right[1].found) - this.#weight(left[1].found),
    );
    for (const [key] of entries.slice(MAX_BUCKETS / 2)) this.#buckets.delete(key);
    this.#dropped += entries.length - MAX_BUCKETS / 2;
  }
}
