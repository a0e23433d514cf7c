import { ALNUM, DASH, DIGIT, isOf, runEnd } from "../byte-class.ts";
import { isVaried } from "./entropy.ts";

/** True for what stands in a secret's place: variables, templates, masks, one character again and again. */
export function isStandIn(bytes: Uint8Array, from: number, to: number): boolean {
  const first = bytes[from]!;
  if (!isVaried(bytes, from, to, 3)) return true;
  if (first === BRACE || first === ANGLE || first === BRACKET) return true;
  if ((first === DOLLAR || first === PERCENT) && isVariable(bytes, from + 1, to)) return true;
  return holdsMask(bytes, from, to);
}

/** `$NAME`, `$(…`, `%NAME%`. */
function isVariable(bytes: Uint8Array, from: number, to: number): boolean {
  if (bytes[from] === PARENTHESIS) return true;
  const end = runEnd(bytes, from, to, ALNUM | DASH);
  return !isOf(bytes[from], DIGIT) && (end === to || bytes[end] === PERCENT);
}

const DOLLAR = 0x24;
const PERCENT = 0x25;
const BRACE = 0x7b;
const PARENTHESIS = 0x28;
const ANGLE = 0x3c;
const BRACKET = 0x5b;
const STAR = 0x2a;
const ELLIPSIS = [0xe2, 0x80, 0xa6];

/** `***`, `...`, `…` or `${` anywhere: something was taken out already, or is put in later. */
function holdsMask(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at + 1 < to; at++) {
    const byte = bytes[at]!;
    if (byte === DOLLAR && bytes[at + 1] === BRACE) return true;
    if (byte === BRACE && bytes[at + 1] === BRACE) return true;
    if (at + 2 >= to) continue;
    if ((byte === STAR || byte === 0x2e) && bytes[at + 1] === byte && bytes[at + 2] === byte) return true;
    if (ELLIPSIS.every((part, index) => bytes[at + index] === part)) return true;
  }
  return false;
}
