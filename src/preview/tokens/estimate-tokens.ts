import { kinds } from "../../limits/options.ts";
import { latePattern } from "../../query/late-pattern.ts";
import { PieceCounter } from "./piece-counter.ts";

/** Classes of UTF-16 units that the tokenizer tells apart. `EITHER`: letters without case, and marks. */
const OTHER = 1;
const UPPER = 2;
const LOWER = 3;
const EITHER = 4;
const DIGIT = 5;
const BLANK = 6;
const NEWLINE = 7;
/** Half of a character outside the basic plane. */
const SURROGATE = 8;

const CLASSES: readonly (readonly [pattern: () => RegExp, number])[] = [
  [() => /[\r\n]/, NEWLINE],
  [() => /\s/, BLANK],
  [latePattern(String.raw`[\p{Lu}\p{Lt}]`, "u"), UPPER],
  [latePattern(String.raw`\p{Ll}`, "u"), LOWER],
  [latePattern(String.raw`[\p{Lm}\p{Lo}\p{M}]`, "u"), EITHER],
  [latePattern(String.raw`\p{N}`, "u"), DIGIT],
  [latePattern(String.raw`\p{Cs}`, "u"), SURROGATE],
];

const SPACE = 0x20;
const SLASH = 0x2f;
const APOSTROPHE = 0x27;
const CONTRACTION = /'(?:[stmd]|re|ve|ll)/iy;
/** A lone surrogate is decoded as U+FFFD, three bytes. */
const LONE_SURROGATE_TOKENS = 3;

let counter: PieceCounter | undefined;
/** The class of each unit, once it was looked up. */
const knownClasses = new Uint8Array(0x10000);

/**
 * An upper bound of the tokens of a text for o200k_base. It splits the text as the tokenizer does, and of each piece makes
 * the first merges only; later merges can only reduce the count.
 */
export function estimateTokens(text: string): number {
  kinds.text(text, "The text for estimateTokens()");
  counter ??= new PieceCounter();
  let tokens = 0;
  for (let at = 0; at < text.length; ) {
    const kind = classOf(text.charCodeAt(at));
    if (kind === SURROGATE) {
      const pair = (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
      tokens += pair ? counter.countPair(text.slice(at, at + 2)) : LONE_SURROGATE_TOKENS;
      at += pair ? 2 : 1;
      continue;
    }
    const end = endOfPiece(text, at, kind);
    tokens += kind === DIGIT ? countDigits(counter, text, at, end) : counter.count(text.slice(at, end));
    at = end;
  }
  return tokens;
}

function classOf(unit: number): number {
  return knownClasses[unit] || learnClass(unit);
}

function learnClass(unit: number): number {
  const char = String.fromCharCode(unit);
  const found = CLASSES.find(([pattern]) => pattern().test(char))?.[1] ?? OTHER;
  knownClasses[unit] = found;
  return found;
}

/** Up to three ASCII digits are one token; other digits are counted one by one. */
function countDigits(counter: PieceCounter, text: string, start: number, end: number): number {
  let tokens = 0;
  let plain = true;
  for (let at = start; at < end; at++) {
    tokens += counter.countUnit(text.charCodeAt(at));
    plain &&= text.charCodeAt(at) < 0x80;
  }
  return plain ? 1 : tokens;
}

/** End of the piece that the tokenizer splits off at `at`. */
function endOfPiece(text: string, at: number, kind: number): number {
  if (isLetter(kind)) return endOfWord(text, at);
  if (kind === DIGIT) return endOfRun(text, at + 1, Math.min(text.length, at + 3), DIGIT);
  const next = at + 1 < text.length ? classOf(text.charCodeAt(at + 1)) : 0;
  if (isLetter(next) && kind !== NEWLINE) return endOfWord(text, at + 1);
  if (kind === OTHER) return endOfSymbols(text, at + 1);
  if (next === OTHER && text.charCodeAt(at) === SPACE) return endOfSymbols(text, at + 2);
  return endOfBlanks(text, at);
}

function isLetter(kind: number): boolean {
  return kind === LOWER || kind === UPPER || kind === EITHER;
}

/** Upper-case letters, then lower-case letters; letters without case count as both. */
function endOfWord(text: string, start: number): number {
  let capitals = start;
  for (; capitals < text.length; capitals++) {
    const kind = classOf(text.charCodeAt(capitals));
    if (kind !== UPPER && kind !== EITHER) break;
  }
  let end = capitals;
  for (; end < text.length; end++) {
    const kind = classOf(text.charCodeAt(end));
    if (kind !== LOWER && kind !== EITHER) break;
  }
  if (end === capitals) {
    let caseless = capitals;
    while (caseless > start && classOf(text.charCodeAt(caseless - 1)) === UPPER) caseless--;
    if (caseless > start) end = caseless;
  }
  if (text.charCodeAt(end) !== APOSTROPHE) return end;
  CONTRACTION.lastIndex = end;
  return CONTRACTION.test(text) ? CONTRACTION.lastIndex : end;
}

function endOfSymbols(text: string, start: number): number {
  let end = endOfRun(text, start, text.length, OTHER);
  for (; end < text.length; end++) {
    const unit = text.charCodeAt(end);
    if (unit !== SLASH && classOf(unit) !== NEWLINE) break;
  }
  return end;
}

/** Blanks up to their last newline; without a newline all but the last blank, which belongs to the next piece. */
function endOfBlanks(text: string, start: number): number {
  let end = start;
  let lastNewline = -1;
  for (; end < text.length; end++) {
    const kind = classOf(text.charCodeAt(end));
    if (kind === NEWLINE) lastNewline = end;
    else if (kind !== BLANK) break;
  }
  if (lastNewline !== -1) return lastNewline + 1;
  return end < text.length && end - start > 1 ? end - 1 : end;
}

function endOfRun(text: string, start: number, limit: number, kind: number): number {
  let end = start;
  while (end < limit && classOf(text.charCodeAt(end)) === kind) end++;
  return end;
}
