/** Fewer characters than this are found nearly everywhere. */
const LEAST_CHARS = 3;
/** More words than this are not worth looking for. */
const MOST_WORDS = 80;
/** What one part of a pattern may match is spelled out up to so many strings. */
const MOST_SPELLINGS = 12;

/** What is known of a part of a pattern. */
interface Part {
  /** All it can match, when these are few strings. */
  readonly spellings?: readonly string[] | undefined;
  /** Words of which one stands in whatever it matches. */
  readonly words?: readonly string[] | undefined;
}

/** Letters and blanks that stand for themselves, up to one that may be repeated. */
const LETTERS = /[A-Za-z ,:_=<>"'#!-]+(?![*+?{])/y;
const QUANTIFIER = /[*+?]|\{\d+(?:,\d*)?\}/y;
const ANYTHING: Part = {};
const NOTHING_WIDE: Part = { spellings: [""] };

/**
 * Words of which at least one stands in every text that a pattern matches, in lower case and with `0` for any digit;
 * undefined when the pattern has none. Thus a pattern need not be tried on a text without them.
 */
export function requiredWords(pattern: RegExp): readonly string[] | undefined {
  const { words } = new PatternReader(pattern.source).readAlternatives();
  return words === undefined || words.length > MOST_WORDS ? undefined : words;
}

/** Reads the syntax of regular expressions as far as the rules use it; what it does not know counts as anything. */
class PatternReader {
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
    };
  }

  #readSequence(): Part {
    let run: readonly string[] = [""];
    let unbroken = true;
    let words: readonly string[] | undefined;
    while (this.#at < this.#source.length && this.#peek() !== "|" && this.#peek() !== ")") {
      const part = this.#readTerm();
      const [least, most] = this.#readQuantifier();
      const optional = least === 0;
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
    return { words: better(words, run), spellings: unbroken ? run : undefined };
  }

  #readTerm(): Part {
    const letters = this.#takeMatch(LETTERS);
    if (letters !== undefined) return { spellings: [letters.toLowerCase()] };
    const start = this.#peek();
    this.#at++;
    if (start === "^" || start === "$") return NOTHING_WIDE;
    if (start === ".") return ANYTHING;
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
    if (letter === "d") return spell(["0"]);
    return /\w/.test(letter) ? ANYTHING : spell([letter]);
  }

  #readClass(): Part {
    const body = this.#takeMatch(/(?:\\.|[^\]\\])*/y) ?? "";
    this.#take("]");
    if (/^[0-9]-[0-9]$|^\\d$/.test(body)) return spell(["0"]);
    return /^\^|.-.|\\\w/.test(body) ? ANYTHING : spell([...body.replace(/\\/g, "")]);
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
  if (characters.some((character) => character > "\u007f")) return ANYTHING;
  const spellings = few(characters.map((character) => (/\d/.test(character) ? "0" : character.toLowerCase())));
  return { spellings };
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
