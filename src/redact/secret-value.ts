/** A value as it stands after a name: in quotes, or up to where such values end. */
export interface Value {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

const LEAST_PASSWORD = 6;
const LEAST_RANDOM = 10;
const MOST_CHARACTERS = 4096;
/** A longer value is judged by its beginning. */
const JUDGED_CHARACTERS = 128;
/** A shorter number in hexadecimal is an address or a constant. */
const LEAST_KEY = 66;
const PASSWORD_BITS = 2.5;
const RANDOM_BITS = 3;
/** A text of letters alone is long before it is random. */
const LEAST_LETTERS = 16;
/** In a random text the kind of character changes more often than in a name of several words. */
const RANDOM_CHANGES = 0.35;
/** Names of several parts have more signs between them. */
const MOST_SIGNS = 2;

/** An unquoted value is looked at this far; no value that was judged is longer. */
const LOOKED_AT = 1024;
const UNQUOTED = /(?:[^\0-\x20\x7f"'`,;<>|\\&]|&(?![\w.[\]%-]{1,32}=)){0,1024}/y;
const UNQUOTED_REST = /(?:[^\0-\x20\x7f"'`,;<>|\\&]|&(?![\w.[\]%-]{1,32}=))*/y;
const QUOTE = /(\\*)(["'`])/y;
const UNTIL_QUOTE: Readonly<Record<string, RegExp>> = {
  '"': /(?:[^"\\]|\\.){0,4097}/sy,
  "'": /(?:[^'\\]|\\.){0,4097}/sy,
  "`": /(?:[^`\\]|\\.){0,4097}/sy,
};
const UNTIL_ESCAPED_QUOTE: Readonly<Record<string, RegExp>> = {
  '"': /[^"\\]{0,4097}/y,
  "'": /[^'\\]{0,4097}/y,
  "`": /[^`\\]{0,4097}/y,
};
const OPENERS: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/** The end of what a sticky pattern matches at a place; -1 when it does not match. */
export function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** The value that begins at `at`; a quote before it may be escaped because it stands in a text in quotes. */
export function readValue(text: string, at: number): Value {
  QUOTE.lastIndex = at;
  const [opening, slashes, quote] = QUOTE.exec(text) ?? [];
  if (opening === undefined) return { start: at, end: unquotedEnd(text, at), quoted: false };
  const start = at + opening.length;
  const untilQuote = slashes === "" ? UNTIL_QUOTE : UNTIL_ESCAPED_QUOTE;
  return { start, end: endOf(untilQuote[quote!]!, text, start), quoted: true };
}

/** Brackets that close nothing in the value and full stops after it are no part of it. */
function unquotedEnd(text: string, start: number): number {
  let end = endOf(UNQUOTED, text, start);
  const value = text.slice(start, end);
  const opened = new Set([...Object.values(OPENERS)].filter((opener) => value.includes(opener)));
  for (; end > start; end--) {
    const last = text[end - 1]!;
    const opener = OPENERS[last];
    if (opener === undefined ? last !== "." && last !== ":" : opened.has(opener)) break;
  }
  return end;
}

/** Where a value that was taken for a secret ends when it is longer than what was looked at. */
export function wholeEnd(text: string, { start, end, quoted }: Value): number {
  return quoted || end - start < LOOKED_AT ? end : endOf(UNQUOTED_REST, text, end);
}

/** True for a value that a person may have chosen as a password, and that is no word, path or code. */
export function looksLikePassword(value: string, quoted = true): boolean {
  if (value.length < LEAST_PASSWORD || value.length > MOST_CHARACTERS || (!quoted && isCode(value))) return false;
  const judged = value.slice(0, JUDGED_CHARACTERS);
  const { letters, digits, isJumbled, isNoWord } = shapeOf(judged);
  if (letters === 0 || isElsewhere(judged)) return false;
  const symbol = /[!@#$%^&*+=?~]/.test(judged);
  if (!symbol && digits === 0 && !isJumbled && !isNoWord) return false;
  if ((!symbol && judged.includes("/")) || isDotted(judged)) return false;
  return entropyOf(judged) >= PASSWORD_BITS;
}

/** True for a value that a program made at random. */
export function looksRandom(value: string, quoted = true): boolean {
  if (value.length < LEAST_RANDOM || value.length > MOST_CHARACTERS || (!quoted && isCode(value))) return false;
  const judged = value.slice(0, JUDGED_CHARACTERS);
  const { letters, upper, digits, isJumbled, isNoWord } = shapeOf(judged);
  if (letters === 0 || isElsewhere(judged)) return false;
  if (/^[\da-f]+$/i.test(judged)) return judged.length >= 16 && digits >= 3 && letters >= 3;
  if (isDotted(judged) || entropyOf(judged) < RANDOM_BITS) return false;
  const signs = judged.length - letters - digits;
  if (signs === 0 && digits >= 2 && upper > 0 && upper < letters) return true;
  if (judged.length >= LEAST_LETTERS && isJumbled) return true;
  if (signs <= MOST_SIGNS && isNoWord) return true;
  return digits >= 3 && (judged.match(/[a-z\d]{8,}/gi) ?? []).some((part) => /\d[a-z]+\d|[a-z]\d+[a-z]/i.test(part));
}

/** True for base64 of a text of a few characters, which no word and no name is by chance. */
export function holdsText(value: string): boolean {
  if (value.length % 4 !== 0 || value.length < 8 || value.length > MOST_CHARACTERS) return false;
  if (!/^[a-z\d+/]+={0,2}$/i.test(value) || !/[a-z]/.test(value) || !/[A-Z]/.test(value)) return false;
  return /^[\t\n\r\x20-\x7e]+$/.test(atob(value));
}

/** True for what stands in a secret's place: variables, templates, masks, one character again and again. */
export function isStandIn(value: string): boolean {
  if (!isVaried(value, 3) || /^[{<[]/.test(value)) return true;
  if (/^[$%](?:\(|(?!\d)[\w-]*(?:$|%))/.test(value)) return true;
  return /\$\{|\{\{|\*\*\*|\.\.\.|\xe2\x80\xa6/.test(value);
}

/** True when the beginning of a text has at least so many different characters. */
export function isVaried(text: string, least: number): boolean {
  counts.fill(0);
  let different = 0;
  const end = Math.min(text.length, JUDGED_CHARACTERS);
  for (let at = 0; at < end && different < least; at++) if (counts[text.charCodeAt(at) & 255]!++ === 0) different++;
  return different >= least;
}

/** True when the text has a letter and a digit, or letters in both cases. */
export function isMixed(text: string): boolean {
  return /\d/.test(text) ? /[a-z]/i.test(text) : /[a-z]/.test(text) && /[A-Z]/.test(text);
}

/** A call, a member that may be missing, a negation, a number in hexadecimal: what stands in programs without quotes. */
function isCode(value: string): boolean {
  const plain = value.slice(0, JUDGED_CHARACTERS);
  if (/^!*0x[\da-f]*$/i.test(plain)) return plain.replace(/^!+/, "").length < LEAST_KEY;
  return /^!+[\w.-]*$|^!*[\w.-]+(?:\(|\?\.)/.test(plain);
}

/** A stand-in, a path, an address or a sentence. */
function isElsewhere(value: string): boolean {
  return /[^\x21-\x7e]|:\/\/|^[.~]+\/|^\/[a-z_.-]+(?:$|\/)/i.test(value) || isStandIn(value);
}

/** `config.password`, `file.json`, `1.2.3`: parts that are each short, joined by full stops. */
function isDotted(value: string): boolean {
  return /^[\w-]{0,20}(?:\.[\w-]{0,20})+$/.test(value);
}

const counts = new Uint16Array(256);

/** Shannon's entropy, in bits for each character. */
function entropyOf(text: string): number {
  counts.fill(0);
  for (let at = 0; at < text.length; at++) counts[text.charCodeAt(at) & 255]!++;
  let bits = 0;
  for (const count of counts) if (count > 0) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Which letters commonly follow one another in words and names, for a to z: 97 of 100 pairs in them are such. */
const FOLLOWERS =
  "bcdefghijklmnprstuvwyz aeilorstuy acehijklortuyz adeilnoprsuyz abcdefghijklmnopqrstuvwxyz aefilorstu aeghilnorsu aehilnortu abcdefgklmnopqrstuvxyz aeios aceilorstu acdegilmnostuvy abeilmopsu acdefgiklmnostuvyz abcdfgijklmnoprstuvwz aehiloprstu u abcdefgiklmnoprstuvwyz acdefghiklmnopstuyz acehiklmnorstuwyz abcdefgijklmnprstyz aeiouy aeinorsy ceipt acegiklmnopstw aeinouwyz"
    .split(" ")
    .map((letters) => [...letters].reduce((set, letter) => set | (1 << (letter.charCodeAt(0) - 97)), 0));
const LEAST_RARE_PAIRS = 3;
/** Of pairs drawn at random every other is rare. */
const RARE_SHARE = 0.3;

interface Shape {
  readonly letters: number;
  readonly upper: number;
  readonly digits: number;
  /** True when the case changes more often than in a name of several words, and not only for a word's first letter. */
  readonly isJumbled: boolean;
  /** True when letters follow one another as they do in no word; where a new word begins in a name does not count. */
  readonly isNoWord: boolean;
}

function shapeOf(value: string): Shape {
  let [letters, upper, digits, changes, capitals, pairs, rare] = [0, 0, 0, 0, 0, 0, 0];
  let [wasUpper, wasLetter, wasDigit, before] = [false, false, false, 0];
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    const folded = (code | 0x20) - 97;
    const isLetter = folded >= 0 && folded < 26;
    const isUpper = isLetter && code < 97;
    const isDigit = code >= 0x30 && code <= 0x39;
    if (isLetter) letters++;
    if (isUpper) upper++;
    if (isDigit) digits++;
    if (at > 0 && (isUpper !== wasUpper || isDigit !== wasDigit)) changes++;
    if (isUpper && wasUpper) capitals++;
    if (isLetter && wasLetter && (wasUpper || !isUpper)) {
      pairs++;
      if ((FOLLOWERS[before]! & (1 << folded)) === 0) rare++;
    }
    [wasUpper, wasLetter, wasDigit, before] = [isUpper, isLetter, isDigit, folded];
  }
  return {
    letters,
    upper,
    digits,
    isJumbled: capitals > 0 && changes > value.length * RANDOM_CHANGES,
    isNoWord: rare >= LEAST_RARE_PAIRS && rare >= pairs * RARE_SHARE,
  };
}
