import { extendHash, finishHash, HASH_STEP, hashOf } from "./hash.ts";
import { CHARACTER_COSTS } from "./tables.ts";
import { NO_MERGE, TokenTables } from "./token-tables.ts";

/** The longest part that is merged at once; a longer one is counted part by part. */
const LONGEST = 64;
/** No run of one character longer than this is a token, and nothing else longer than `LONGEST_WHOLE`. */
const LONGEST_TOKEN = 128;
const LONGEST_WHOLE = 24;
/** Characters from here on take three bytes. */
const WIDE = 0x800;
/** Characters of scripts without blanks of which bytes of two neighbours are often merged. */
const FIRST_UNSPACED = 0xe00;
const LAST_UNSPACED = 0x17ff;
/** Pieces of which the count is remembered: most come again soon. */
const RECENT = 1 << 12;
/** First units of letters for mathematics and of pictures, but for the lowest two bits: no such character takes four tokens. */
const MATHEMATICS = 0xd834;
const PICTURES = 0xd83c;

/**
 * Counts tokens of one piece with the first merges of the vocabulary only. The tokenizer makes these same merges first
 * and any later one only takes tokens away, so the count is never too low.
 */
export class PieceCounter {
  readonly #tables = new TokenTables();
  /** Tokens of a character on its own, by its first unit; 0 is not known yet. */
  readonly #alone = new Uint8Array(0x10000).fill(1, 0, 0x80);
  readonly #recent = new Uint32Array(RECENT);
  readonly #recentTokens = new Uint32Array(RECENT);
  readonly #prefix = new Int32Array(LONGEST + 1);
  readonly #powers = new Int32Array(LONGEST + 1);
  readonly #bounds = new Uint8Array(LONGEST + 2);
  readonly #ranks = new Int32Array(LONGEST + 2);

  constructor() {
    this.#powers[0] = 1;
    for (let at = 1; at <= LONGEST; at++) this.#powers[at] = Math.imul(this.#powers[at - 1]!, HASH_STEP);
  }

  /** Tokens of the piece from `start` to `end`; `hash` is that of all its units. */
  count(text: string, start: number, end: number, hash: number): number {
    if (end - start === 1) return this.alone(text, start);
    const finished = finishHash(hash);
    const slot = finished & (RECENT - 1);
    if (this.#recent[slot] === finished) return this.#recentTokens[slot]!;
    const tokens = this.#isToken(text, start, end, finished) ? 1 : this.#countParts(text, start, end);
    this.#recent[slot] = finished;
    this.#recentTokens[slot] = tokens;
    return tokens;
  }

  #isToken(text: string, start: number, end: number, hash: number): boolean {
    const length = end - start;
    if (length <= LONGEST_TOKEN && this.#tables.rank(hash) !== NO_MERGE) return true;
    if (length > LONGEST_WHOLE || !this.#tables.isWhole(hash)) return false;
    // Nothing else stands among the whole pieces; it would have its key by chance.
    for (let at = start; at < end; at++) if (!isPlain(text.charCodeAt(at))) return false;
    return true;
  }

  #countParts(text: string, start: number, end: number): number {
    // A blank takes the first byte of a wide character away from its own merges.
    let tokens = text.charCodeAt(start) < 0x80 && text.charCodeAt(start + 1) >= WIDE ? 1 : 0;
    let from = start;
    let split = 0;
    for (let at = start; at < end; at++) {
      const unit = text.charCodeAt(at);
      if (unit >= FIRST_UNSPACED && unit <= LAST_UNSPACED) split = 1;
      const alone = this.alone(text, at);
      if (alone > 1) {
        tokens += this.#merge(text, from, at) + alone;
        from = at + 1;
        split = 1;
      } else if (at - from === LONGEST) {
        // A cut can save a token that merges across it would have cost.
        tokens += this.#merge(text, from, at) + 1;
        from = at;
      }
    }
    // So can bytes of a character that are merged with its neighbours'.
    return tokens + split + this.#merge(text, from, end);
  }

  /** Tokens of the character at a place on its own. */
  alone(text: string, at: number): number {
    const unit = text.charCodeAt(at);
    const known = this.#alone[unit]!;
    if (known > 0) return known;
    const isToken = this.#tables.rank(hashOf(text, at, at + 1)) !== NO_MERGE;
    const tokens = isToken ? 1 : costOf(unit);
    this.#alone[unit] = tokens;
    return tokens;
  }

  /** Tokens of a character of two units on its own. */
  alonePair(text: string, at: number): number {
    if (this.#tables.rank(hashOf(text, at, at + 2)) !== NO_MERGE) return 1;
    const block = text.charCodeAt(at) & ~3;
    return block === MATHEMATICS || block === PICTURES ? 3 : 4;
  }

  #merge(text: string, start: number, end: number): number {
    let parts = end - start;
    if (parts < 2) return parts;
    const prefix = this.#prefix;
    const bounds = this.#bounds;
    const ranks = this.#ranks;
    let hash = 0;
    for (let at = 0; at < parts; at++) {
      hash = extendHash(hash, text.charCodeAt(start + at));
      prefix[at + 1] = hash;
      bounds[at] = at;
    }
    bounds[parts] = parts;
    for (let at = 0; at + 2 <= parts; at++) ranks[at] = this.#rank(at, at + 2);
    for (;;) {
      let best = NO_MERGE;
      let place = -1;
      for (let at = 0; at + 2 <= parts; at++) {
        if (ranks[at]! < best) {
          best = ranks[at]!;
          place = at;
        }
      }
      if (place === -1) return parts;
      parts--;
      for (let at = place + 1; at <= parts; at++) {
        bounds[at] = bounds[at + 1]!;
        ranks[at] = ranks[at + 1]!;
      }
      if (place > 0) ranks[place - 1] = this.#rank(bounds[place - 1]!, bounds[place + 1]!);
      if (place + 2 <= parts) ranks[place] = this.#rank(bounds[place]!, bounds[place + 2]!);
    }
  }

  #rank(from: number, to: number): number {
    const hash = (this.#prefix[to]! - Math.imul(this.#prefix[from]!, this.#powers[to - from]!)) | 0;
    return this.#tables.rank(finishHash(hash));
  }
}

function costOf(unit: number): number {
  return Number(CHARACTER_COSTS[unit >> 8]);
}

/** True for printable ASCII, tabs and newlines. */
function isPlain(unit: number): boolean {
  return (unit >= 0x20 && unit < 0x7f) || unit === 0x0a || unit === 0x09 || unit === 0x0d;
}
