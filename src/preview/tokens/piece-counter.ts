import { CHARACTER_COSTS, MERGES, SINGLE_TOKENS, WORD_FORMS, WORDS } from "./vocabulary.ts";

/** Longer runs are merged in parts of this length. */
const MAX_MERGED = 64;
/** Characters from here on take three bytes. */
const WIDE = 0x800;
/** Scripts without blanks, in which the tokenizer often merges bytes of two neighbouring characters. */
const FIRST_UNSPACED = 0xe00;
const LAST_UNSPACED = 0x17ff;
/** First units of mathematical letters and of pictographs, but for the lowest two bits: at most three tokens each. */
const MATHEMATICS = 0xd834;
const PICTURES = 0xd83c;
/** Counts of pieces that are remembered; most pieces are repeated soon. */
const MAX_REMEMBERED = 8192;
const SMALL_A = 97;

/**
 * Counts the tokens of one piece with the first merges of the vocabulary and its most common words. The tokenizer makes
 * the same merges first, so the count is never too low.
 */
export class PieceCounter {
  /** The order of merges, by the text that they make. */
  readonly #ranks = new Map(MERGES.split("^").map((token, rank) => [token, rank]));
  /** Pieces that are one token, though not by a merge that is known. */
  readonly #words = readWords();
  /** Tokens of each UTF-16 unit by itself. */
  readonly #unitTokens = readUnitTokens();
  readonly #remembered = new Map<string, number>();

  /** Tokens of a whole piece. */
  count(piece: string): number {
    if (piece.length === 1) return this.countUnit(piece.charCodeAt(0));
    if (this.#ranks.has(piece) || this.#words.has(piece)) return 1;
    const known = this.#remembered.get(piece);
    if (known !== undefined) return known;
    const tokens = this.#countParts(piece);
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
    if (piece.length <= MAX_MERGED) this.#remembered.set(` ${piece}`.slice(1), tokens);
    return tokens;
  }

  /** Tokens of a character of one unit by itself. */
  countUnit(unit: number): number {
    return this.#unitTokens[unit] as number;
  }

  /** Tokens of a character of two units by itself. */
  countPair(character: string): number {
    if (this.#ranks.has(character)) return 1;
    const block = character.charCodeAt(0) & ~3;
    return block === MATHEMATICS || block === PICTURES ? 3 : 4;
  }

  #countParts(piece: string): number {
    // A blank can take the first byte of a wide character away from that character's own merges.
    let tokens = piece.charCodeAt(0) < 0x80 && piece.charCodeAt(1) >= WIDE ? 1 : 0;
    let from = 0;
    let split = 0;
    for (let at = 0; at < piece.length; at++) {
      const unit = piece.charCodeAt(at);
      if (unit >= FIRST_UNSPACED && unit <= LAST_UNSPACED) split = 1;
      const alone = this.countUnit(unit);
      if (alone > 1) {
        tokens += this.#countMerged(piece.slice(from, at)) + alone;
        from = at + 1;
        split = 1;
      } else if (at - from === MAX_MERGED) {
        // A cut can save a token that merges across it would have cost.
        tokens += this.#countMerged(piece.slice(from, at)) + 1;
        from = at;
      }
    }
    // So can bytes of a character that are merged with its neighbours'.
    return tokens + split + this.#countMerged(piece.slice(from));
  }

  #countMerged(text: string): number {
    const parts = Array.from({ length: text.length }, (_, at) => text.charAt(at));
    const ranks = parts.map((part, at) => this.#rankOf(part, parts[at + 1]));
    for (;;) {
      let best = 0;
      for (let at = 1; at < ranks.length; at++) if ((ranks[at] as number) < (ranks[best] as number)) best = at;
      if ((ranks[best] ?? Number.POSITIVE_INFINITY) === Number.POSITIVE_INFINITY) return parts.length;
      parts.splice(best, 2, `${parts[best]}${parts[best + 1]}`);
      ranks.splice(best + 1, 1);
      ranks[best] = this.#rankOf(parts[best], parts[best + 1]);
      if (best > 0) ranks[best - 1] = this.#rankOf(parts[best - 1], parts[best]);
    }
  }

  #rankOf(first: string | undefined, second: string | undefined): number {
    return second === undefined
      ? Number.POSITIVE_INFINITY
      : (this.#ranks.get(`${first}${second}`) ?? Number.POSITIVE_INFINITY);
  }
}

/** Every form of every word that is one token. */
function readWords(): ReadonlySet<string> {
  const words = new Set<string>();
  let word = "";
  for (const [, shared, flags = "", rest] of WORDS.matchAll(/(\d)(..)([a-z]*)/g)) {
    word = word.slice(0, Number(shared)) + rest;
    const spellings = [word, word.charAt(0).toUpperCase() + word.slice(1), word.toUpperCase()];
    const bits = atob(`${flags}A=`);
    WORD_FORMS.forEach(([prefix, spelling], form) => {
      if (hasBit(bits, form)) words.add(prefix + spellings[spelling]);
    });
  }
  return words;
}

function readUnitTokens(): Uint8Array {
  const tokens = new Uint8Array(0x10000);
  const singles = atob(SINGLE_TOKENS);
  let at = 0;
  for (let block = 0; block < CHARACTER_COSTS.length; block++) {
    const cost = CHARACTER_COSTS.charCodeAt(block);
    const mixed = cost >= SMALL_A;
    for (let low = 0; low < 256; low++) {
      const single = mixed && hasBit(singles, at++);
      tokens[block * 256 + low] = single ? 1 : mixed ? cost - SMALL_A : Number(CHARACTER_COSTS[block]);
    }
  }
  return tokens;
}

function hasBit(bytes: string, at: number): boolean {
  return ((bytes.charCodeAt(at >> 3) >> (7 - (at & 7))) & 1) === 1;
}
