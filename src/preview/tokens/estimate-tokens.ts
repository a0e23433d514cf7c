import { extendHash } from "./hash.ts";
import { PieceCounter } from "./piece-counter.ts";
import { BLANK, classOf, DIGIT, EITHER, LOWER, NEWLINE, OTHER, SURROGATE, UPPER } from "./unit-class.ts";

const SPACE = 0x20;
const SLASH = 0x2f;
const APOSTROPHE = 0x27;
const CONTRACTION = /'(?:[stmd]|re|ve|ll)/iy;
/** Half a character is read as U+FFFD, three bytes. */
const LONE_SURROGATE = 3;

let counter: PieceCounter | undefined;

/** One token in so many on top, for the rare piece that is taken for a token by chance. */
const MARGIN = 64;

/** Tokens of a text, estimated from above for o200k_base: no fewer than the tokenizer's, on ordinary text few more. */
export function estimateTokens(text: string): number {
  counter ??= new PieceCounter();
  let tokens = 0;
  for (let at = 0; at < text.length; ) {
    const kind = classOf(text.charCodeAt(at));
    if (kind === SURROGATE) {
      const pair = (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
      tokens += pair ? counter.alonePair(text, at) : LONE_SURROGATE;
      at += pair ? 2 : 1;
      continue;
    }
    const end = endOfPiece(text, at, kind);
    if (kind === DIGIT) {
      tokens += countDigits(counter, text, at, end);
    } else {
      let hash = 0;
      for (let unit = at; unit < end; unit++) hash = extendHash(hash, text.charCodeAt(unit));
      tokens += counter.count(text, at, end, hash);
    }
    at = end;
  }
  return tokens + Math.floor(tokens / MARGIN);
}

/** Up to three ASCII digits are one token; of other digits each is counted alone. */
function countDigits(counter: PieceCounter, text: string, start: number, end: number): number {
  let tokens = 0;
  let plain = true;
  for (let at = start; at < end; at++) {
    tokens += counter.alone(text, at);
    plain &&= text.charCodeAt(at) < 0x80;
  }
  return plain ? 1 : tokens;
}

/** Where the piece ends that the tokenizer cuts off at a place. */
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

/** Capitals first, then small letters; letters without case count as both. */
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

/** Blanks up to the last newline among them; without one, all but the last, which belongs to what follows. */
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
