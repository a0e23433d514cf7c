import type { Beginning } from "../../../bytes/line-scanner.ts";
import type { AskedName } from "../../../query/asked-names.ts";
import type { AutomatonStates } from "../log/automaton.ts";
import { type AutomatonPlan, type AutomatonWord, LONGEST_WORD } from "../log/automaton-plan.ts";
import { RULE_BANKS } from "../log/row-finder.ts";

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

const BITS = 31;
const FIRST_BANK = 1 + RULE_BANKS;
const LEAST_INSIDE = 6;
const NONE: readonly number[] = [];
const encoder = new TextEncoder();

/** Finds the names of a question in bytes, whole and in parts, by one automaton and a look at what stands around. */
export class TermFinder {
  /** What an automaton must find, in banks from `FIRST_BANK` on: those before are for others. */
  readonly words: readonly AutomatonWord[];
  readonly names: readonly NameTerms[];
  /** How each term stands in the row that is being read. */
  readonly found: Uint8Array;
  /** The terms with an entry in `found`. */
  readonly terms: number[] = [];
  readonly #terms: readonly Term[];
  /** Of each byte the terms that begin with it. */
  #beginning: readonly (readonly SpelledTerm[])[] | undefined;
  /** The terms that may end in a state of the automaton in use. */
  #termsOf: (readonly number[] | undefined)[] = [NONE];
  #asked: AutomatonPlan["asked"] = new Map();
  #states: AutomatonStates | undefined;

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
    this.words = terms.flatMap(({ forms }, index) => wordsOf(forms, index));
  }

  /** From now on `check` is told what an automaton finds, of this plan and with these states. */
  use(plan: AutomatonPlan, states: AutomatonStates): void {
    this.#asked = plan.asked;
    this.#states = states;
    this.#termsOf = [NONE];
  }

  /** What terms begin with wherever one stands. */
  get beginnings(): Beginning[] {
    return this.#terms.flatMap(({ forms }) => forms.map((form) => [...form.subarray(0, 4)].map(bothCases)));
  }

  /** Notes the terms that stand in a row; true when there is one. */
  checkRow(bytes: Uint8Array, start: number, end: number): boolean {
    this.#beginning ??= byFirstByte(this.#terms);
    let any = false;
    for (let at = start; at < end; at++) {
      const spelled = this.#beginning[bytes[at] as number] as readonly SpelledTerm[];
      for (const { index, term, form } of spelled) {
        const to = at + form.length;
        if (to > end || !equals(bytes, at, form)) continue;
        if (this.#note(index, term.spaced ? standingAt(term, bytes, at, to, end) : EXACT)) any = true;
      }
    }
    return any;
  }

  /** Notes the terms that end here; true when there is one. */
  check(state: number, bytes: Uint8Array, end: number, rowEnd: number): boolean {
    const ending = this.#termsOf[state] ?? this.#listTerms(state);
    if (ending.length === 0) return false;
    let any = false;
    for (const index of ending) {
      if (this.#note(index, standingOf(this.#terms[index] as Term, bytes, end, rowEnd))) any = true;
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

  /** Also those that end in the states that it falls back to. */
  #listTerms(state: number): readonly number[] {
    const { kinds, fallbacks } = this.#states as AutomatonStates;
    const shorter = fallbacks[state] as number;
    const inherited = this.#termsOf[shorter] ?? this.#listTerms(shorter);
    const banks = this.#asked.get(kinds[state] as number) ?? [];
    const own = banks.flatMap((bits, bank) => numbersOf(bits).map((bit) => bank * BITS + bit));
    const terms = own.length === 0 ? inherited : [...new Set([...inherited, ...own])].sort((a, b) => a - b);
    this.#termsOf[state] = terms;
    return terms;
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

/** Which bits are set. */
function numbersOf(bits: number): number[] {
  return Array.from({ length: BITS }, (_, bit) => bit).filter((bit) => (bits & (1 << bit)) !== 0);
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

function wordsOf(forms: readonly Uint8Array[], index: number): AutomatonWord[] {
  const [mask, bank] = [1 << (index % BITS), FIRST_BANK + Math.floor(index / BITS)];
  return forms.map((form) => ({ text: decoder.decode(form).replace(/\d/g, "0"), mask, bank }));
}

/** How a term stands where the automaton says that it, or the first bytes of a long one, may end; 0 when it does not. */
function standingOf(term: Term, bytes: Uint8Array, found: number, rowEnd: number): number {
  for (const form of term.forms) {
    const start = found - Math.min(form.length, LONGEST_WORD);
    const end = start + form.length;
    if (start < 0 || end > rowEnd || !equals(bytes, start, form)) continue;
    if (!term.spaced) return EXACT;
    const standing = standingAt(term, bytes, start, end, rowEnd);
    if (standing !== 0) return standing;
  }
  return 0;
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
