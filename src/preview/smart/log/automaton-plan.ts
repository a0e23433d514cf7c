import { ASKED_BIT, RULE_BANKS } from "./row-finder.ts";

/** A longer word is known by its beginning, which only adds candidates. In bytes. */
export const LONGEST_WORD = 32;

/** A word and the bits it sets. `0` stands for any digit; a `stop` word hides the shorter words of the first bank that it ends with. */
export interface AutomatonWord {
  readonly text: string;
  readonly mask: number;
  /** Which of several sets of 32 bits the mask belongs to. @default 0 */
  readonly bank?: number;
  readonly stop?: boolean;
}

/** How far a state is shifted to index its row of the table. */
export const CLASS_BITS = 7;
export const MAX_CLASSES = 1 << CLASS_BITS;
/** Bytes of characters that are not ASCII have the upper half of the classes. */
const WIDE = MAX_CLASSES / 2;

const NEWLINE = 10;
const OTHER = 0;
const DIGIT = 1;
export const LINE_END = 2;
const OTHER_WIDE = WIDE;
const ASCII = 128;

/** What is known of a state, or of what ends in a node, as so many numbers. */
export const STATE_NUMBERS = 8;
/** The bits of the first bank, with `ASKED_BIT` for any of a bank after those of rules. */
export const STATE_MASK = 0;
/** Which bits of shorter words a node does not hide. */
export const STATE_SHOWN = 1;
/** The bits of the banks of rules. */
export const STATE_RULES = 4;

/**
 * The words of an automaton as a tree of their beginnings, level by level: much smaller than the automaton, and soon made
 * into it.
 */
export interface AutomatonPlan {
  readonly classes: Uint8Array;
  /** How many children a node has; they stand in a row after those of the nodes before. */
  readonly children: Uint8Array;
  /** The class of byte that leads to a node. */
  readonly symbols: Uint8Array;
  /** What ends in a node, as one of the kinds; nothing is kind 0. */
  readonly kinds: Uint16Array;
  /** `STATE_NUMBERS` for each kind. */
  readonly found: Int32Array;
  /** The bits of a kind in the banks after those of rules, one bank after the other, where there are some. */
  readonly asked: ReadonlyMap<number, readonly number[]>;
}

/** Puts the words in order, and those of a plan with them; words beyond what the byte classes can tell apart share classes. */
export function planAutomaton(words: readonly AutomatonWord[], known?: AutomatonPlan): AutomatonPlan {
  const encoder = new TextEncoder();
  const encoded = words.map((word) => encoder.encode(lowerAscii(word.text)).subarray(0, LONGEST_WORD));
  const classes = classifyBytes(encoded, known?.classes);
  const trie = new Trie(
    encoded.reduce((sum, bytes) => sum + bytes.length, 2),
    known,
  );
  const ends = encoded.map((bytes) => trie.add(bytes.map((byte) => classes[byte] as number)));
  // The state for the start of a line is always there.
  trie.add([LINE_END]);
  const kindOf = new Uint16Array(trie.size);
  kindOf.set(known?.kinds ?? []);
  const kinds = new Kinds(known);
  words.forEach((word, index) => {
    const node = ends[index] as number;
    kindOf[node] = kinds.with(kindOf[node] as number, word);
  });
  const order = trie.levels();
  return {
    classes,
    children: Uint8Array.from(order, (node) => trie.countChildren(node)),
    symbols: Uint8Array.from(order, (node) => trie.symbols[node] as number),
    kinds: order.map((node) => kindOf[node] as number),
    found: Int32Array.from(kinds.found.flat()),
    asked: kinds.asked,
  };
}

/** What words that end together find. */
class Kinds {
  readonly found: number[][] = [];
  readonly asked = new Map<number, readonly number[]>();
  readonly #places = new Map<string, number>();

  constructor(known?: AutomatonPlan) {
    if (known === undefined) {
      this.#place([0, ~0, 0, 0, ...Array.from({ length: RULE_BANKS }, () => 0)], []);
      return;
    }
    for (let at = 0; at < known.found.length; at += STATE_NUMBERS) {
      this.#place([...known.found.subarray(at, at + STATE_NUMBERS)], known.asked.get(at / STATE_NUMBERS) ?? []);
    }
  }

  /** What a word finds besides those of a kind. */
  with(kind: number, { mask, bank = 0, stop = false }: AutomatonWord): number {
    const found = [...(this.found[kind] as number[])];
    const asked = [...(this.asked.get(kind) ?? [])];
    const set = (numbers: number[], at: number, bits: number): void => {
      numbers[at] = (numbers[at] ?? 0) | bits;
    };
    if (bank === 0) set(found, STATE_MASK, mask);
    else if (bank <= RULE_BANKS) set(found, STATE_RULES + bank - 1, mask);
    else {
      set(found, STATE_MASK, mask === 0 ? 0 : ASKED_BIT);
      for (let before = asked.length; before < bank - RULE_BANKS - 1; before++) asked.push(0);
      set(asked, bank - RULE_BANKS - 1, mask);
    }
    if (stop) found[STATE_SHOWN] = ASKED_BIT;
    return this.#place(found, asked);
  }

  #place(found: number[], asked: readonly number[]): number {
    const key = `${found} ${asked}`;
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    const kind = this.found.push(found) - 1;
    this.#places.set(key, kind);
    if (asked.length > 0) this.asked.set(kind, asked);
    return kind;
  }
}

/** The words' beginnings, which are the automaton's states. */
class Trie {
  /** Nodes; 0 is the root. */
  size = 1;
  readonly symbols: Uint8Array;
  /** A node's first child and its next sibling, 0 for none. */
  readonly children: Uint16Array;
  readonly siblings: Uint16Array;

  /** Has room for so many nodes besides those of a plan. */
  constructor(most: number, known?: AutomatonPlan) {
    const size = most + (known?.children.length ?? 0);
    this.symbols = new Uint8Array(size);
    this.children = new Uint16Array(size);
    this.siblings = new Uint16Array(size);
    if (known !== undefined) this.#addPlan(known);
  }

  #addPlan({ children, symbols }: AutomatonPlan): void {
    this.size = children.length;
    this.symbols.set(symbols);
    for (let node = 0, child = 1; node < this.size; node++) {
      const end = child + (children[node] as number);
      this.children[node] = child < end ? child : 0;
      for (; child < end; child++) this.siblings[child] = child + 1 < end ? child + 1 : 0;
    }
  }

  /** Gives the node of a word. */
  add(symbols: Iterable<number>): number {
    let node = 0;
    for (const symbol of symbols) node = this.#child(node, symbol);
    return node;
  }

  countChildren(node: number): number {
    let count = 0;
    for (let child = this.children[node] as number; child !== 0; child = this.siblings[child] as number) count++;
    return count;
  }

  /** All nodes, level by level from the root; the children of one stand together. */
  levels(): Uint16Array {
    const order = new Uint16Array(this.size);
    for (let head = 0, known = 1; head < known; head++) {
      let child = this.children[order[head] as number] as number;
      for (; child !== 0; child = this.siblings[child] as number) order[known++] = child;
    }
    return order;
  }

  #child(node: number, symbol: number): number {
    let child = this.children[node] as number;
    while (child !== 0 && this.symbols[child] !== symbol) child = this.siblings[child] as number;
    if (child !== 0) return child;
    child = this.size++;
    this.symbols[child] = symbol;
    this.siblings[child] = this.children[node] as number;
    this.children[node] = child;
    return child;
  }
}

function classifyBytes(encoded: readonly Uint8Array[], known?: Uint8Array): Uint8Array {
  const classes = known?.slice() ?? plainClasses();
  let narrow = Math.min(WIDE - 1, 1 + Math.max(...classes.filter((symbol) => symbol < WIDE)));
  let wide = 1 + Math.max(...classes);
  for (const bytes of encoded) {
    for (const byte of bytes) {
      if (classes[byte] === OTHER) {
        const symbol = narrow < WIDE - 1 ? narrow++ : narrow;
        classes[byte] = symbol;
        if (byte >= 97 && byte <= 122) classes[byte - 32] = symbol;
      } else if (classes[byte] === OTHER_WIDE) {
        // The last bytes of characters are more than the classes: some share one.
        classes[byte] = wide < MAX_CLASSES ? wide++ : OTHER_WIDE + 1 + (byte % (MAX_CLASSES - OTHER_WIDE - 1));
      }
    }
  }
  return classes;
}

function plainClasses(): Uint8Array {
  const classes = new Uint8Array(256);
  classes.fill(OTHER_WIDE, ASCII);
  classes[NEWLINE] = LINE_END;
  for (let byte = 48; byte < 58; byte++) classes[byte] = DIGIT;
  return classes;
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
