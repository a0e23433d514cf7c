import { type GramPattern, WORD_CHARACTERS } from "./rule.ts";

/** Colour codes and other sequences for a terminal, characters without width, characters that are spelled out. */
const ESCAPE =
  /\x1b(?:\[[\d;:?]{0,32}[A-Za-z]|\][^\x07\x1b\n]{0,80}(?:\x07|\x1b\\))|\\{1,4}(?:u00|x|u\{)([2-7][\da-f])\}?|%([2-7][\da-f])|&(?:(#\d{2,3}|#x[\da-f]{2}|quot|apos|amp|lt|gt));|\xe2\x80[\x8b-\x8f\xaa-\xae]|\xe2\x81[\xa0-\xa4]|\xef\xbb\xbf|\xc2\xad/gi;
/** What may become one of these when more comes. */
const PART =
  /(?:\x1b[^\x07\n]{0,82}|\\{1,4}[ux]?\{?[\da-f]{0,4}|%[\da-f]?|&[#\w]{0,5}|[\xe2\xef][\x80\x81\xbb]?|\xc2)$/i;
const LONGEST_PART = 96;
/** Characters that mean the same in every place; blanks and brackets of a URL's spelling may be part of a value. */
const PLAIN = /[\w.~:/=@?&+<>$-]/;
const QUOTES = /["'`]/;
const ADDRESS = /^%3a%2f%2f/i;
/** A quote in a URL's spelling is one of JSON's beside its other signs. */
const JSON_SIGNS = /^%(?:3a|2c|7d|5d|3d)|%(?:3a|7b|2c|5b|3d)(?:%20)?$/i;
const NAMED: Readonly<Record<string, string>> = { quot: '"', apos: "'", amp: "&", lt: "<", gt: ">" };

const WORD = `${WORD_CHARACTERS}=:"'`;
const HEX = "0123456789abcdefABCDEF";

/** Where there may be one: within words, since nothing else is hidden by it. */
export const ESCAPE_GRAMS: readonly GramPattern[] = [
  ["\x1b", "[", "0123456789;", "0123456789;mK"],
  ["\x1b", "[", "mK", WORD],
  ["\x1b", "]", "0123456789", "0123456789;"],
  ["\\", "u", "0", "0"],
  ["\\", "xu", "234567{", HEX],
  ["%", "23", "2AaDdFf67", `${WORD}%`],
  ["%", "34567", HEX, `${WORD}%`],
  ["&", "#", "x0123456789", HEX],
  ...["&quo", "&apo", "&amp", "&lt;", "&gt;"].map((keyword) => [...keyword] as unknown as GramPattern),
  ["\xe2", "\x80\x81", "\x8b\x8c\x8d\x8e\x8f\xa0\xa1\xa2\xa3\xa4\xaa\xab\xac\xad\xae", `${WORD}\xe2\x1b`],
  ["\xef", "\xbb", "\xbf", WORD],
  ["\xc2", "\xad", WORD, WORD],
];

/** A text without what hides words in it, and where each of its characters begins and ends in the text it was. */
export interface CleanText {
  readonly text: string;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

export function cleanText(text: string): CleanText {
  const starts = new Uint32Array(text.length + 1);
  const ends = new Uint32Array(text.length + 1);
  let clean = "";
  let from = 0;
  /** Where an address in a URL's spelling goes on, in which `@` and `/` are spelled out too. */
  let addressFrom = -1;
  const take = (characters: string, start: number, end: number, isOne: boolean) => {
    for (let index = 0; index < characters.length; index++) {
      starts[clean.length + index] = isOne ? start : start + index;
      ends[clean.length + index] = isOne ? end : start + index + 1;
    }
    clean += characters;
  };
  for (const match of text.matchAll(ESCAPE)) {
    if (addressFrom !== -1 && /[\s"'&]/.test(text.slice(addressFrom, match.index))) addressFrom = -1;
    if (addressFrom !== -1 || ADDRESS.test(text.slice(match.index, match.index + 9))) addressFrom = match.index;
    const plain = plainOf(match, text, addressFrom !== -1);
    if (plain === undefined) continue;
    const end = match.index + match[0].length;
    take(text.slice(from, match.index), from, match.index, false);
    take(plain, match.index, end, true);
    from = end;
  }
  take(text.slice(from), from, text.length, false);
  starts[clean.length] = text.length;
  return { text: clean, starts, ends };
}

/** What stands for it in the clean text; undefined when it stays as it is. */
function plainOf(
  { 0: whole, 1: code, 2: percent, 3: entity, index }: RegExpExecArray,
  text: string,
  inAddress: boolean,
): string | undefined {
  const hex = code ?? percent ?? /^#x(.+)/i.exec(entity ?? "")?.[1];
  if (hex === undefined && entity === undefined) return "";
  const character =
    hex !== undefined
      ? String.fromCharCode(Number.parseInt(hex, 16))
      : entity!.startsWith("#")
        ? String.fromCharCode(Number(entity!.slice(1)))
        : NAMED[entity!.toLowerCase()]!;
  if (percent !== undefined && !inAddress && /[@/]/.test(character)) return undefined;
  if (PLAIN.test(character)) return character;
  if (!QUOTES.test(character)) return undefined;
  const end = index + whole.length;
  const isQuote =
    percent === undefined ||
    JSON_SIGNS.test(text.slice(end, end + 3)) ||
    JSON_SIGNS.test(text.slice(Math.max(0, index - 6), index));
  // As a quote stands in a text in quotes.
  return isQuote ? `\\${character}` : undefined;
}

/** How many characters at the end may be a part of such a sequence. */
export function partLength(text: string): number {
  return PART.exec(text.slice(-LONGEST_PART))?.[0].length ?? 0;
}
