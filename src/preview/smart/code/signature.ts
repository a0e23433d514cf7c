import { type DeclarationPlace, READ_CHARS } from "./declaration-place.ts";

const OPEN_PARENTHESIS = 40;
const CLOSE_PARENTHESIS = 41;
const SEMICOLON = 59;
const OPEN_BRACE = 123;
/** A signature takes no more lines. */
export const MAX_HEAD_LINES = 12;
const AFTER_SIGNATURE =
  /^\s*(?:\{|throws\b|const\b|noexcept\b|override\b|where\b|->|:(?!:)|__|requires\b|final\b|=>|&&?\s*(?:\{|$))/;

/** How a signature ends: whether a body follows, and how many lines it takes. */
interface SignatureEnd {
  readonly body: boolean;
  readonly lines: number;
}

/** Where the signature ends whose parenthesis opens so many characters behind the beginning of the line; undefined for a mere call. */
export function signatureEnd(place: DeclarationPlace, opening: number): SignatureEnd | undefined {
  let depth = 0;
  for (let at = 0; at < MAX_HEAD_LINES && place.has(at); at++) {
    const units = place.units(at);
    const start = place.start(at);
    const end = place.end(at);
    for (let index = at === 0 ? start + opening : start; index < end; index++) {
      const unit = units[index];
      if (unit === OPEN_PARENTHESIS) depth++;
      else if (unit === CLOSE_PARENTHESIS && --depth === 0) return afterSignature(place.rest(at, index + 1), at, place);
      else if ((unit === OPEN_BRACE || unit === SEMICOLON) && depth === 1 && place.rest(at, index + 1).trim() === "")
        return undefined;
    }
  }
  return undefined;
}

/** Lines until the parentheses of a signature are closed; 1 when they are not. */
export function headLines(place: DeclarationPlace): number {
  let depth = 0;
  for (let at = 0; at < MAX_HEAD_LINES && place.has(at); at++) {
    const units = place.units(at);
    const end = place.end(at);
    for (let index = place.start(at); index < end; index++) {
      if (units[index] === OPEN_PARENTHESIS) depth++;
      else if (units[index] === CLOSE_PARENTHESIS) depth--;
    }
    if (depth <= 0) return at + 1;
  }
  return 1;
}

function afterSignature(rest: string, at: number, place: DeclarationPlace): SignatureEnd | undefined {
  let tail = rest;
  for (let further = 0; further < 5; further++) {
    const bare = (tail.includes("/") ? tail.replace(/\/\/.*|\/\*.*?\*\//g, "") : tail).trim();
    if (
      bare === "" ||
      further > 0 ||
      AFTER_SIGNATURE.test(bare) ||
      bare === ";" ||
      /^=\s*(?:0|default|delete)\s*;/.test(bare)
    ) {
      const end = /[{;]|=>/.exec(bare);
      if (end !== null)
        return { body: end[0] !== ";", lines: at + further + 1 - (bare === "{" && further > 0 ? 1 : 0) };
    } else {
      return undefined;
    }
    const next = place.ahead(at + further + 1);
    if (next === undefined || (!AFTER_SIGNATURE.test(next) && !(further > 0 && /^\s+\S/.test(next)))) return undefined;
    tail = next.slice(0, READ_CHARS);
  }
  return undefined;
}
