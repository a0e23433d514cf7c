import type { AskedName } from "../../../query/asked-names.ts";
import { LONGEST_WORD, type Word } from "../log/word-automaton.ts";
import { ASKED } from "../log/words.ts";

/** How a term stands in a row, weakest first. */
export const INSIDE = 1;
export const BEGINS = 2;
export const EXACT = 3;
/** Nothing else on the row can say it better: upper and lower case are as in the question. */
export const VERBATIM = 4;

/** One text to look for. */
interface Term {
  /** In UTF-8: the forms in which it is found, ASCII letters in lower case. */
  readonly forms: readonly Uint8Array[];
  /** As it was asked for, where that is told from other cases. */
  readonly verbatim: Uint8Array | undefined;
  /** True when it must end where a word ends. */
  readonly whole: boolean;
  readonly spaced: boolean;
}

/** A term in one of its forms. */
interface SpelledTerm {
  readonly index: number;
  readonly term: Term;
  readonly form: Uint8Array;
}

/** A name of the question as terms: the whole of it, or else its parts. */
export interface NameTerms {
  readonly whole: number;
  readonly parts: readonly number[];
  readonly weight: number;
  /** False for a name without boundaries, whose parts are pairs of characters that overlap. */
  readonly spaced: boolean;
}

const LEAST_INSIDE = 6;
const encoder = new TextEncoder();

/** Finds the names of a question, whole and in parts, in rows of which an automaton says that they may hold one. */
export class TermFinder {
  /** What that automaton must find. */
  readonly words: readonly Word[];
  readonly names: readonly NameTerms[];
  /** How each term stands in the row that is being read. */
  readonly found: Uint8Array;
  /** The terms with an entry in `found`. */
  readonly terms: number[] = [];
  readonly #terms: readonly Term[];
  /** Of each byte the terms that begin with it. */
  #beginning: readonly (readonly SpelledTerm[])[] | undefined;

  constructor(asked: readonly AskedName[]) {
    const terms: Term[] = [];
    const places = new Map<string, number>();
    const add = (text: string, whole: boolean, spaced: boolean): number => {
      const key = `${whole}${text}`;
      const known = places.get(key);
      if (known !== undefined) return known;
      places.set(key, terms.length);
      terms.push(createTerm(text, whole, spaced));
      return terms.length - 1;
    };
    this.names = asked.map(({ text, parts, weight, spaced }) => ({
      whole: add(text, true, spaced),
      parts: parts.map((part) => add(part, false, spaced)),
      weight,
      spaced,
    }));
    this.#terms = terms;
    this.found = new Uint8Array(terms.length);
    this.words = terms.flatMap(({ forms }) => wordsOf(forms));
  }

  /** Notes the terms that stand in a row; true if there is one. If it continues a line, a term may begin before it. */
  checkRow(bytes: Uint8Array, start: number, end: number, inLine: boolean): boolean {
    this.#beginning ??= byFirstByte(this.#terms);
    let any = false;
    for (let at = inLine ? Math.max(0, start - LONGEST_WORD) : start; at < end; at++) {
      const spelled = this.#beginning[bytes[at] as number] as readonly SpelledTerm[];
      for (const { index, term, form } of spelled) {
        const to = at + form.length;
        if (to > end || at + Math.min(form.length, LONGEST_WORD) <= start || !equals(bytes, at, form)) continue;
        if (this.#note(index, term.spaced ? standingAt(term, bytes, at, to, end) : EXACT)) any = true;
      }
    }
    return any;
  }

  #note(index: number, standing: number): boolean {
    if (standing === 0) return false;
    const before = this.found[index] as number;
    if (before === 0) this.terms.push(index);
    if (standing > before) this.found[index] = standing;
    return true;
  }

  /** Forgets the row. */
  clear(): void {
    for (const index of this.terms) this.found[index] = 0;
    this.terms.length = 0;
  }
}

function byFirstByte(terms: readonly Term[]): SpelledTerm[][] {
  const lists = Array.from({ length: 256 }, (): SpelledTerm[] => []);
  terms.forEach((term, index) => {
    for (const form of term.forms) {
      for (const byte of bothCases(form[0] as number)) lists[byte]?.push({ index, term, form });
    }
  });
  return lists;
}

/** A byte of a form, and what stands in its place in upper case. */
function bothCases(byte: number): number[] {
  return byte >= 97 && byte <= 122 ? [byte, byte - 32] : [byte];
}

function createTerm(text: string, whole: boolean, spaced: boolean): Term {
  const lower = text.toLowerCase();
  const ascii = !/[^\p{ASCII}]/u.test(text);
  const title = lower.charAt(0).toUpperCase() + lower.slice(1);
  const forms = ascii ? [lower] : [...new Set([lower, title, text.toUpperCase()])];
  return {
    forms: forms.map((form) => encoder.encode(form.replace(/[A-Z]/g, (letter) => letter.toLowerCase()))),
    verbatim: whole && ascii && /[A-Za-z]/.test(text) ? encoder.encode(text) : undefined,
    whole,
    spaced,
  };
}

const decoder = new TextDecoder();

function wordsOf(forms: readonly Uint8Array[]): Word[] {
  return forms.map((form) => ({ text: decoder.decode(form).replace(/\d/g, "0"), bits: ASKED }));
}

function standingAt(term: Term, bytes: Uint8Array, start: number, end: number, rowEnd: number): number {
  if (!term.whole) {
    if (start === 0 || beginsPart(bytes, start)) return BEGINS;
    return end - start >= LEAST_INSIDE ? INSIDE : 0;
  }
  const before = start === 0 ? NEWLINE : (bytes[start - 1] as number);
  if (isWordByte(bytes[start] as number) && (isLetter(before) || before === UNDERSCORE)) return 0;
  if (end < rowEnd && isWordByte(bytes[end] as number) && isWordByte(bytes[end - 1] as number)) return 0;
  return term.verbatim !== undefined && sameBytes(bytes, start, term.verbatim) ? VERBATIM : EXACT;
}

const NEWLINE = 10;
const UNDERSCORE = 95;

function equals(bytes: Uint8Array, start: number, form: Uint8Array): boolean {
  for (let at = 0; at < form.length; at++) {
    const byte = bytes[start + at] as number;
    if ((byte >= 65 && byte <= 90 ? byte + 32 : byte) !== form[at]) return false;
  }
  return true;
}

function sameBytes(bytes: Uint8Array, start: number, form: Uint8Array): boolean {
  for (let at = 0; at < form.length; at++) if (bytes[start + at] !== form[at]) return false;
  return true;
}

/** True where a word or a part of an identifier begins. */
function beginsPart(bytes: Uint8Array, start: number): boolean {
  const before = bytes[start - 1] as number;
  if (!isLetter(before) || !isLetter(bytes[start] as number)) return true;
  return !isUpper(before) && isUpper(bytes[start] as number);
}

function isUpper(byte: number): boolean {
  return byte >= 65 && byte <= 90;
}

function isLetter(byte: number): boolean {
  return isUpper(byte) || (byte >= 97 && byte <= 122) || byte >= 0x80;
}

function isWordByte(byte: number): boolean {
  return isLetter(byte) || (byte >= 48 && byte <= 57) || byte === UNDERSCORE;
}
