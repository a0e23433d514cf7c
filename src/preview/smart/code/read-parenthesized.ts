import type { DeclarationPlace } from "./declaration-place.ts";
import { isWordUnit, skipBlanksBack } from "./first-words.ts";
import type { DeclarationHead } from "./read-declaration.ts";
import { signatureEnd } from "./signature.ts";

/** What stands before an opening parenthesis: words of a type, then a name. */
const BEFORE_PARENTHESIS = /^[\w\s$@:<>,*&~[\]?#"'.=+!-]*$/;
const NAME_AT_END = /(~?[\w$:~]+|operator\s*[^\s\w(]+|"[^"]+"|'[^']+'|\[[\w.]+\])(?:<[^()<>]*>)?\s*$/;
const NO_NAME = new Set(
  "if for while switch catch return else do new throw await yield delete case goto assert raise import using require include sizeof typeof when match guard lock fixed unless until elsif and or not in foreach function super this echo print elif with defined alignas decltype __attribute__ static_assert".split(
    " ",
  ),
);
const NO_FIRST_WORD = new Set(
  "return throw new else await yield delete case goto raise do print echo import using typeof in of and or not if for while switch match let const var".split(
    " ",
  ),
);
const OPEN_BRACE = 123;
const DOLLAR = 36;
const COLON = 58;
const TILDE = 126;
/** What stands before the name of what is called, not of what is declared. */
const CALLING = [33, 43, 45, 46, 61];

/** A function that no keyword announces: something called with parentheses and followed by its body. */
export function readParenthesized(text: string, place: DeclarationPlace): DeclarationHead | undefined {
  const { language, within } = place;
  const inFunction = within === "function" || within === "test";
  if (inFunction && (language !== "javascript" || place.last !== OPEN_BRACE)) return undefined;
  const open = text.indexOf("(");
  if (open <= 0 || open > 200) return undefined;
  const plain = plainNameStart(place, open);
  if (plain !== undefined && isPartOfMore(place, plain)) return undefined;
  const opening = text.slice(0, open);
  if (!BEFORE_PARENTHESIS.test(opening)) return undefined;
  const match = plain === undefined ? NAME_AT_END.exec(opening) : undefined;
  const start = match?.index ?? plain;
  if (start === undefined) return undefined;
  const before = opening.slice(0, start).trim();
  const name = match?.[1] ?? opening.slice(start).trimEnd();
  if (/[.=+!-]|^["']/.test(before) || /[\w.]$/.test(opening.slice(0, start))) return undefined;
  if (NO_NAME.has(name) || NO_FIRST_WORD.has(/^\w+/.exec(before)?.[0] ?? "") || /^[#:]|^\[/.test(before))
    return undefined;
  const bare =
    before === "" || /^(?:(?:async|static|get|set|public|private|protected|override|readonly)\b|\*|\s)+$/.test(before);
  if (inFunction && (!/^[a-z$#"'[][\w$:.">'\]-]*$|^"/.test(name) || /for_?each/i.test(name))) return undefined;
  if (language === "javascript" && !bare) return undefined;
  const end = signatureEnd(place, open);
  if (end === undefined) return undefined;
  if (end.body) return { kind: "function", name, headLines: end.lines };
  if (bare || inFunction || language === "javascript" || before === "") return undefined;
  return { kind: "prototype", name, headLines: end.lines };
}

/** Where the name before a parenthesis begins, by itself or in what it belongs to; undefined for one that is no mere word. */
function plainNameStart(place: DeclarationPlace, open: number): number | undefined {
  const units = place.units(0);
  const start = place.start(0);
  let at = skipBlanksBack(units, start, start + open);
  if (at === start || !isWordUnit(units[at - 1] as number)) return undefined;
  while (at > start && isNameUnit(units[at - 1] as number)) at--;
  return at - start;
}

function isNameUnit(unit: number): boolean {
  return isWordUnit(unit) || unit === COLON || unit === DOLLAR || unit === TILDE;
}

/** True when something before a name says that it is called or part of an expression. */
function isPartOfMore(place: DeclarationPlace, name: number): boolean {
  const units = place.units(0);
  const start = place.start(0);
  for (let at = start + name - 1; at >= start; at--) if (CALLING.includes(units[at] as number)) return true;
  return false;
}
