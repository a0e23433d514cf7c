/** Fewer characters than this are found nearly everywhere. */
const LEAST_CHARS = 3;
/** What one part of a pattern may match is spelled out up to so many strings. */
const MOST_SPELLINGS = 12;

/** What is known of a part of a pattern. */
export interface Part {
  /** All it can match, when these are few strings. */
  readonly spellings?: readonly string[] | undefined;
  /** Words of which one stands in whatever it matches. */
  readonly words?: readonly string[] | undefined;
  /** The characters of ASCII with which it may begin, when it is not empty. */
  readonly first: ReadonlySet<string>;
  readonly mayBeEmpty: boolean;
  /** True when it matches only at the beginning of a text. */
  readonly anchored?: boolean;
}

/** Letters and blanks that stand for themselves, up to one that may be repeated. */
const LETTERS = /[A-Za-z ,:_=<>"'#!-]+(?![*+?{])/y;
const QUANTIFIER = /[*+?]|\{\d+(?:,\d*)?\}/y;
const ASCII = Array.from({ length: 128 }, (_, unit) => String.fromCharCode(unit));
const NOTHING_WIDE: Part = { spellings: [""], first: new Set(), mayBeEmpty: true };

/** Reads the syntax of regular expressions as far as the rules use it; what it does not know counts as anything. */
export class PatternReader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  readAlternatives(): Part {
    const parts: Part[] = [this.#readSequence()];
    while (this.#take("|")) parts.push(this.#readSequence());
    if (parts.length === 1) return parts[0] as Part;
    const words = parts.map((part) => part.words);
    const spellings = parts.map((part) => part.spellings);
    return {
      words: words.includes(undefined) ? undefined : [...new Set(words.flatMap((list) => list ?? []))],
      spellings: spellings.includes(undefined) ? undefined : few(spellings.flatMap((list) => list ?? [])),
      first: new Set(parts.flatMap((part) => [...part.first])),
      mayBeEmpty: parts.some((part) => part.mayBeEmpty),
      anchored: parts.every((part) => part.anchored === true),
    };
  }

  #readSequence(): Part {
    let run: readonly string[] = [""];
    let unbroken = true;
    let words: readonly string[] | undefined;
    const first = new Set<string>();
    let mayBeEmpty = true;
    const anchored = this.#peek() === "^";
    while (this.#at < this.#source.length && this.#peek() !== "|" && this.#peek() !== ")") {
      const part = this.#readTerm();
      const [least, most] = this.#readQuantifier();
      const optional = least === 0;
      if (mayBeEmpty) for (const character of part.first) first.add(character);
      mayBeEmpty &&= optional || part.mayBeEmpty;
      if (part.spellings !== undefined && most === 1) {
        const longer = few(join(run, optional ? [...part.spellings, ""] : part.spellings));
        if (longer !== undefined) {
          run = longer;
          continue;
        }
      }
      unbroken = false;
      // The text goes on in an unknown way: what was read so far, with one more round at most, stands for itself.
      const once = optional ? undefined : part.spellings;
      words = better(words, better(few(join(run, once ?? [""])) ?? run, optional ? undefined : part.words));
      run = once ?? [""];
    }
    return { words: better(words, run), spellings: unbroken ? run : undefined, first, mayBeEmpty, anchored };
  }

  #readTerm(): Part {
    const letters = this.#takeMatch(LETTERS);
    if (letters !== undefined) {
      return { spellings: [letters.toLowerCase()], first: new Set(letters[0]), mayBeEmpty: false };
    }
    const start = this.#peek();
    this.#at++;
    if (start === "^" || start === "$") return NOTHING_WIDE;
    if (start === ".") return anyOf(".");
    if (start === "[") return this.#readClass();
    if (start === "\\") return this.#readEscape();
    if (start !== "(") return spell([start]);
    const look = this.#takeMatch(/\?(?:<?[=!])/y);
    if (look === undefined) this.#takeMatch(/\?(?::|<\w+>)/y);
    const part = this.readAlternatives();
    this.#take(")");
    return look === undefined ? part : NOTHING_WIDE;
  }

  #readEscape(): Part {
    const letter = this.#peek();
    this.#at++;
    if (letter === "b" || letter === "B") return NOTHING_WIDE;
    if (letter === "d") return { ...anyOf("\\d"), spellings: ["0"] };
    return /\w/.test(letter) ? anyOf(`\\${letter}`) : spell([letter]);
  }

  #readClass(): Part {
    const body = this.#takeMatch(/(?:\\.|[^\]\\])*/y) ?? "";
    this.#take("]");
    if (/^[0-9]-[0-9]$|^\\d$/.test(body)) return { ...anyOf(`[${body}]`), spellings: ["0"] };
    return /^\^|.-.|\\\w/.test(body) ? anyOf(`[${body}]`) : spell([...body.replace(/\\/g, "")]);
  }

  #readQuantifier(): readonly [least: number, most: number] {
    if (!"*+?{".includes(this.#peek())) return [1, 1];
    const quantifier = this.#takeMatch(QUANTIFIER);
    if (quantifier === undefined) return [1, 1];
    this.#take("?");
    if (quantifier === "*") return [0, Infinity];
    if (quantifier === "+") return [1, Infinity];
    if (quantifier === "?") return [0, 1];
    const [least = "", most = least] = quantifier.slice(1, -1).split(",");
    return [Number(least), most === "" ? Infinity : Number(most)];
  }

  #peek(): string {
    return this.#source[this.#at] ?? "";
  }

  #take(text: string): boolean {
    if (this.#peek() !== text) return false;
    this.#at++;
    return true;
  }

  #takeMatch(sticky: RegExp): string | undefined {
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#source)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}

/** Characters beyond ASCII are left out, since only ASCII is compared without regard to case. */
function spell(characters: readonly string[]): Part {
  const first = new Set(characters.filter((character) => character <= "\u007f"));
  if (first.size < new Set(characters).size) return { first, mayBeEmpty: false };
  const spellings = few(characters.map((character) => (/\d/.test(character) ? "0" : character.toLowerCase())));
  return { spellings, first, mayBeEmpty: false };
}

/** One character that a pattern matches. */
function anyOf(source: string): Part {
  const pattern = new RegExp(`^${source}$`);
  return { first: new Set(ASCII.filter((character) => pattern.test(character))), mayBeEmpty: false };
}

function few(spellings: readonly string[]): readonly string[] | undefined {
  const distinct = [...new Set(spellings)];
  return distinct.length <= MOST_SPELLINGS ? distinct : undefined;
}

function join(starts: readonly string[], ends: readonly string[]): string[] {
  return starts.flatMap((start) => ends.map((end) => start + end));
}

/** The list whose shortest word is longer; lists with a word too short to tell are none. */
function better(
  one: readonly string[] | undefined,
  other: readonly string[] | undefined,
): readonly string[] | undefined {
  const length = shortest(one);
  const otherLength = shortest(other);
  if (Math.max(length, otherLength) < LEAST_CHARS) return undefined;
  return otherLength > length ? other : one;
}

function shortest(words: readonly string[] | undefined): number {
  return words === undefined ? 0 : Math.min(...words.map((word) => word.length));
}
