/** Four sets of ASCII characters: a gram has one character of each, in order. */
export type GramPattern = readonly [string, string, string, string];

/** A secret in a text. */
export interface Find {
  readonly kind: string;
  readonly start: number;
  /** After its last character. */
  readonly end: number;
}

/** Four characters that a secret cannot be without, and how far after the rule's place they stand. */
export interface Anchor {
  readonly gram: GramPattern;
  readonly offset: number;
}

/** One kind of secret: where to look, and what is one there. */
export interface Rule {
  readonly anchors: readonly Anchor[];
  /** What it begins with, for a secret that is known by that; `match` is asked only where it stands. */
  readonly begins?: string;
  /** A character that stands after the place in the same line; `match` is asked only where it does. */
  readonly required?: string | undefined;
  /** For a secret that may be longer than its line: the text then ends where what has come does, at most `most` on. */
  readonly spansLines?: {
    readonly most: number;
    /** True when more text could change the decision. */
    mayGrow(text: string, at: number): boolean;
  };
  /** Decides on a place where an anchor stands; the text is the line around it, one character for each byte. */
  match(text: string, at: number): Find | undefined;
}

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGITS = "0123456789";
export const WORD_CHARACTERS = `${LETTERS}${DIGITS}_-`;
const VALUE_CHARACTERS = `${WORD_CHARACTERS} "'$./+=!@#%^&*?~`;
const CHARACTER = /\[([^\]]+)\]|./gs;

/**
 * The rarest four characters of a keyword, of which `[ab]` is one of a set, `?` any that a value begins with,
 * `#` a digit and `^` a letter or a digit.
 * A shorter keyword is filled up with `rest`.
 */
export function anchorOf(keyword: string, anyCase = false, rest = WORD_CHARACTERS): Anchor {
  const sets = [...keyword.matchAll(CHARACTER)].map(([character, set]) => {
    if (set !== undefined) return set;
    if (character === "?") return VALUE_CHARACTERS;
    if (character === "#") return DIGITS;
    if (character === "^") return LETTERS + DIGITS;
    return anyCase ? `${character.toLowerCase()}${character.toUpperCase()}` : character;
  });
  while (sets.length < 4) sets.push(rest);
  const rarities = sets.slice(3).map((_, at) => sets.slice(at, at + 4).reduce((all, set) => all * frequencyOf(set), 1));
  const offset = rarities.indexOf(Math.min(...rarities));
  return { gram: sets.slice(offset, offset + 4) as unknown as GramPattern, offset };
}

/** How often each ASCII character occurs in logs, in thousandths, roughly. */
export const FREQUENCIES = (() => {
  const table = new Float64Array(256).fill(1);
  const set = (characters: string, thousandths: number) => {
    for (const character of characters) table[character.charCodeAt(0)] = thousandths;
  };
  set(" ", 96);
  set("etaosnrmi./", 38);
  set("clpdghu012-:", 17);
  set("vbfy345\n_", 9);
  set('kjwx6789"()[]=', 5);
  set("ABCDEFGHIKLMNOPRSTU,'#", 3);
  return table.map((thousandths) => thousandths / 1000);
})();

function frequencyOf(set: string): number {
  return [...set].reduce((sum, character) => sum + FREQUENCIES[character.charCodeAt(0)]!, 0);
}
