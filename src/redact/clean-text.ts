import type { GramPattern } from "./rule.ts";
import { endOf } from "./secret-value.ts";

/** A character without width, or the empty link that ends one in a terminal. */
const INVISIBLE = /\xe2\x80[\x8b-\x8f\xaa-\xae]|\xe2\x81[\xa0-\xa4]|\xef\xbb\xbf|\xc2\xad|\x1b\]8;;(?:\x07|\x1b\\)/y;
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

const HEX = "0123456789abcdefABCDEF";
/** What may follow: blanks, printable ASCII, another such sequence. */
const ANY = `\n\r\t${String.fromCharCode(...Array.from({ length: 95 }, (_, index) => 0x20 + index))}\x1b\xe2\xef\xc2`;

/** Where such a sequence may begin: before a character of a word, since nothing else is hidden by it. */
export const ESCAPE_GRAMS: readonly GramPattern[] = [
  ["\x1b", "[", "0123456789;:?", "0123456789;:mK"],
  ["\x1b", "[", "mK", ANY],
  ["\x1b", "]", "8", ";"],
  ["\\", "u", "0", "0"],
  ["\\", "xu", "234567{", HEX],
  ["%", "2", "2AaBbDdEeFf67", ANY],
  ["%", "34567", HEX, ANY],
  ["&", "#", "x0123456789", HEX],
  ...["&quo", "&apo", "&amp", "&lt;", "&gt;"].map((keyword) => [...keyword] as unknown as GramPattern),
  ["\xe2", "\x80\x81", "\x8b\x8c\x8d\x8e\x8f\xa0\xa1\xa2\xa3\xa4\xaa\xab\xac\xad\xae", ANY],
  ["\xef", "\xbb", "\xbf", ANY],
  ["\xc2", "\xad", ANY, ANY],
];
const BEGINNINGS = "\x1b\\%&\xe2\xef\xc2";
const BEGINS = Uint8Array.from({ length: 256 }, (_, byte) => (BEGINNINGS.includes(String.fromCharCode(byte)) ? 1 : 0));
const ESCAPE = 0x1b;
const BACKSLASH = 0x5c;
const MOST_BACKSLASHES = 4;
/** A longer sequence for a terminal is none. */
const LONGEST_SEQUENCE = 34;

/** A text without what hides words in it, as parts of the original and characters that were spelled out. */
export class CleanText {
  readonly text: string;
  /** For each part its start in the clean text, its start in the original, and its length there if it is spelled out, else 0. */
  readonly #starts: number[] = [];
  readonly #origins: number[] = [];
  readonly #spelled: number[] = [];

  /** `places` are where such sequences may begin, in order. */
  constructor(original: string, places: readonly number[] = beginnings(original)) {
    const clean: string[] = [];
    let [length, from] = [0, 0];
    const take = (characters: string, start: number, spelled: number) => {
      if (characters === "") return;
      this.#starts.push(length);
      this.#origins.push(start);
      this.#spelled.push(spelled);
      clean.push(characters);
      length += characters.length;
    };
    /** End of the last escape of a URL in which `@` and `/` are escaped too. */
    let addressFrom = -1;
    for (const place of places) {
      if (place < from) continue;
      let index = place;
      while (
        place - index < MOST_BACKSLASHES - 1 &&
        index > from &&
        original.charCodeAt(place) === BACKSLASH &&
        original.charCodeAt(index - 1) === BACKSLASH
      )
        index--;
      let plain: string | undefined = "";
      let end = colourEnd(original, index);
      if (end === -1) end = endOf(INVISIBLE, original, index);
      if (end === -1) {
        SPELLED.lastIndex = index;
        const match = SPELLED.exec(original);
        if (match === null) continue;
        end = SPELLED.lastIndex;
        if (addressFrom !== -1 && /[\s"'&]/.test(original.slice(addressFrom, index))) addressFrom = -1;
        if (addressFrom !== -1 || ADDRESS.test(original.slice(index, index + 9))) addressFrom = index;
        plain = plainOf(match, original, addressFrom !== -1);
      }
      if (plain === undefined) continue;
      take(original.slice(from, index), from, 0);
      from = end;
      take(plain, index, end - index);
    }
    take(original.slice(from), from, 0);
    this.#starts.push(length);
    this.#origins.push(original.length);
    this.#spelled.push(0);
    this.text = clean.join("");
  }

  /** Offset in the original at which a character of the clean text begins. */
  startOf(character: number): number {
    const part = lastAtMost(this.#starts, character);
    return this.#origins[part]! + (this.#spelled[part]! > 0 ? 0 : character - this.#starts[part]!);
  }

  /** Offset in the original where it ends. */
  endOf(character: number): number {
    const part = lastAtMost(this.#starts, character);
    return this.#origins[part]! + (this.#spelled[part]! || character - this.#starts[part]! + 1);
  }

  /** The first character of the clean text that begins at an offset of the original, or after it. */
  characterAt(offset: number): number {
    const part = Math.max(0, lastAtMost(this.#origins, offset));
    const [start, origin] = [this.#starts[part]!, this.#origins[part]!];
    const next = this.#starts[part + 1] ?? this.text.length;
    const within = this.#spelled[part]! > 0 && origin < offset ? next : start + offset - origin;
    return Math.max(0, Math.min(within, next));
  }

  /** Moves places of four characters into the clean text; where these come from several parts, `placeAt` is asked. */
  movePlaces<T extends { readonly at: number }>(places: readonly T[], placeAt: (at: number) => T | undefined): T[] {
    const moved: T[] = [];
    let next = 0;
    for (let part = 0; part < this.#starts.length - 1; part++) {
      const [start, origin] = [this.#starts[part]!, this.#origins[part]!];
      const end = this.#starts[part + 1]!;
      const isPlain = this.#spelled[part] === 0;
      const lastWhole = isPlain ? end - 4 : start - 1;
      while (next < places.length && places[next]!.at < origin) next++;
      for (; next < places.length && places[next]!.at - origin + start <= lastWhole; next++)
        moved.push({ ...places[next]!, at: places[next]!.at - origin + start });
      for (let at = Math.max(start, lastWhole + 1); at < end; at++) {
        const place = placeAt(at);
        if (place !== undefined) moved.push(place);
      }
    }
    return moved;
  }
}

/** Index of the last number that is not above `most`, in ascending numbers that begin at 0. */
function lastAtMost(numbers: readonly number[], most: number): number {
  let [low, high] = [0, numbers.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (numbers[middle]! <= most) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** True for the first byte of such a sequence. */
export function beginsEscape(byte: number): boolean {
  return BEGINS[byte] === 1;
}

/** Offsets at which such sequences may begin. */
export function beginnings(text: string): number[] {
  const offsets: number[] = [];
  for (let at = 0; at < text.length; at++) if (beginsEscape(text.charCodeAt(at))) offsets.push(at);
  return offsets;
}

/** Where a terminal's control sequence that begins at `at` ends; -1 where none does. */
function colourEnd(text: string, at: number): number {
  if (text.charCodeAt(at) !== ESCAPE || text.charCodeAt(at + 1) !== 0x5b) return -1;
  for (let end = at + 2; end < at + LONGEST_SEQUENCE; end++) {
    const code = text.charCodeAt(end);
    if ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) return end + 1;
    // Digits, `:`, `;` and `?`.
    if (!((code >= 0x30 && code <= 0x3b) || code === 0x3f)) return -1;
  }
  return -1;
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
