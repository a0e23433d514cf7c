import { SourceText } from "./source-text.ts";

/** What the word that a line begins with may be. */
export const ANNOUNCING = 1;
export const MODIFYING = 2;
export const ALIASING = 4;
export const TESTING = 8;
export const IMPORTING = 16;
export const CLOSING = 32;
export const CONTROLLING = 64;
export const INITIALIZING = 128;
export const QUALIFYING = 256;
export const DEFINING = 512;
export const FUNCTIONAL = 1024;
export const ANYTHING = 2047;

const ANNOUNCERS =
  "class interface trait protocol extension record actor object enum impl struct union namespace module mod macro_rules function func fn fun";
const MODIFIERS =
  "export default declare abstract public private protected internal fileprivate static final sealed partial open data inner inline value annotation unsafe async const override virtual mutating nonisolated pub extern readonly indirect companion expect actual suspend operator infix tailrec external class convenience required template typedef";
const TESTS = "describe it test context suite specify scenario";

/** What stands before a parenthesis and is no function. */
export const CONTROL_WORDS: ReadonlySet<string> = new Set("if for while switch catch return".split(" "));

const TAB = 9;
const BLANK = 32;
/** Characters of a word that are looked at: enough to tell those meant here from what lines often begin with. */
const LOOKED_AT = 4;
const TABLE_BITS = 12;
/** By the first letters of words: those that share a place share all meanings. */
const MEANINGS = new Uint16Array(1 << TABLE_BITS);

function add(meaning: number, words: Iterable<string>): void {
  for (const word of words) {
    const place = placeOf(new SourceText(word).units, 0);
    MEANINGS[place] = (MEANINGS[place] as number) | meaning;
  }
}

add(ANNOUNCING, ANNOUNCERS.split(" "));
add(MODIFYING, MODIFIERS.split(" "));
add(ALIASING, "type export declare".split(" "));
for (const mark of ["", "x", "f"])
  add(
    TESTING,
    TESTS.split(" ").map((word) => mark + word),
  );
add(TESTING, ["Deno", "t"]);
add(IMPORTING, "import from export using use const let var require include package source extern load".split(" "));
add(CLOSING, "end fi done esac else then do begin try pass".split(" "));
add(CONTROLLING, CONTROL_WORDS);
add(INITIALIZING, "init deinit subscript".split(" "));
add(DEFINING, ["def"]);
add(FUNCTIONAL, ["async", "function"]);
add(QUALIFYING, "async static get set public private protected override readonly operator".split(" "));

/** What the word at `at` may be by its first letters: all that it is, and at times more. */
export function meaningAt(units: Uint8Array, at: number): number {
  return MEANINGS[placeOf(units, at)] as number;
}

/** Where the word at `at` ends. */
export function wordEnd(units: Uint8Array, at: number): number {
  let end = at;
  while (isWordUnit(units[end] as number)) end++;
  return end;
}

/** Where the blanks and tabs at `from` end. */
export function skipBlanks(units: Uint8Array, from: number): number {
  let at = from;
  while (units[at] === BLANK || units[at] === TAB) at++;
  return at;
}

/** Where the blanks and tabs before `to` begin, not before `from`. */
export function skipBlanksBack(units: Uint8Array, from: number, to: number): number {
  let at = to;
  while (at > from && (units[at - 1] === BLANK || units[at - 1] === TAB)) at--;
  return at;
}

/** True for what words are made of; a dollar is not. */
export function isWordUnit(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57) || unit === 95;
}

function placeOf(units: Uint8Array, at: number): number {
  let key = 0;
  for (let end = at; end < at + LOOKED_AT; end++) {
    const unit = units[end] as number;
    if (!isWordUnit(unit)) break;
    key = (key << 7) | unit;
  }
  return Math.imul(key, 0x9e3779b1) >>> (32 - TABLE_BITS);
}
