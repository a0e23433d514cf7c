import { type GramPattern, WORD_CHARACTERS } from "./rule.ts";
import { endOf } from "./secret-value.ts";

/** How what is looked for begins. */
const BEGINNING = /[\x1b\\%&\xe2\xef\xc2]/g;
/** Colour codes and other sequences for a terminal, and characters without width. */
const HIDDEN =
  /\x1b(?:\[[\d;:?]{0,32}[A-Za-z]|\][^\x07\x1b\n]{0,80}(?:\x07|\x1b\\))|\xe2\x80[\x8b-\x8f\xaa-\xae]|\xe2\x81[\xa0-\xa4]|\xef\xbb\xbf|\xc2\xad/y;
/** Characters that are spelled out. */
const SPELLED =
  /\\{1,4}(?:u00|x|u\{)([2-7][\da-f])\}?|%([2-7][\da-f])|&(?:(#\d{2,3}|#x[\da-f]{2}|quot|apos|amp|lt|gt));/iy;
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

/** A text without what hides words in it, as parts of the text it was and characters that were spelled out. */
export class CleanText {
  readonly text: string;
  /** Where each part begins in the clean text and in the other, and how many characters there stand for one; 0 for a part as it is. */
  readonly #parts: { readonly at: number; readonly from: number; readonly spelled: number }[] = [];

  constructor(text: string) {
    const clean: string[] = [];
    let [length, from] = [0, 0];
    const take = (characters: string, start: number, spelled: number) => {
      if (characters === "") return;
      this.#parts.push({ at: length, from: start, spelled });
      clean.push(characters);
      length += characters.length;
    };
    /** Where an address in a URL's spelling goes on, in which `@` and `/` are spelled out too. */
    let addressFrom = -1;
    BEGINNING.lastIndex = 0;
    while (BEGINNING.test(text)) {
      const index = BEGINNING.lastIndex - 1;
      let end = endOf(HIDDEN, text, index);
      let plain: string | undefined = "";
      if (end === -1) {
        SPELLED.lastIndex = index;
        const match = SPELLED.exec(text);
        if (match === null) continue;
        end = SPELLED.lastIndex;
        if (addressFrom !== -1 && /[\s"'&]/.test(text.slice(addressFrom, index))) addressFrom = -1;
        if (addressFrom !== -1 || ADDRESS.test(text.slice(index, index + 9))) addressFrom = index;
        plain = plainOf(match, text, addressFrom !== -1);
      }
      BEGINNING.lastIndex = end;
      if (plain === undefined) continue;
      take(text.slice(from, index), from, 0);
      from = end;
      take(plain, index, end - index);
    }
    take(text.slice(from), from, 0);
    this.#parts.push({ at: length, from: text.length, spelled: 0 });
    this.text = clean.join("");
  }

  /** Where a character of the clean text begins in the text it was. */
  startOf(character: number): number {
    const { at, from, spelled } = this.#parts[this.#lastPart((part) => part.at <= character)]!;
    return spelled > 0 ? from : from + character - at;
  }

  /** Where it ends there. */
  endOf(character: number): number {
    const { at, from, spelled } = this.#parts[this.#lastPart((part) => part.at <= character)]!;
    return spelled > 0 ? from + spelled : from + character - at + 1;
  }

  /** The first character of the clean text that begins at a place of the text it was, or after it. */
  characterAt(place: number): number {
    const index = this.#lastPart(({ from }) => from <= place);
    const part = this.#parts[index]!;
    const next = this.#parts[index + 1]?.at ?? this.text.length;
    const within = part.spelled > 0 && part.from < place ? next : part.at + place - part.from;
    return Math.max(0, Math.min(within, next));
  }

  /** The last part for which something holds that holds for all before. */
  #lastPart(holds: (part: { readonly at: number; readonly from: number }) => boolean): number {
    let [low, high] = [0, this.#parts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (holds(this.#parts[middle]!)) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** What stands for it in the clean text; undefined when it stays as it is. */
function plainOf(
  { 0: whole, 1: code, 2: percent, 3: entity, index }: RegExpExecArray,
  text: string,
  inAddress: boolean,
): string | undefined {
  const hex = code ?? percent ?? /^#x(.+)/i.exec(entity ?? "")?.[1];
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
