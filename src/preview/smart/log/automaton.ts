/**
 * Finds many words at once in bytes: one table lookup per byte. ASCII letters count in either case, others as a word
 * spells them.
 */
export interface Automaton {
  /** Next state by `state << CLASS_BITS | classes[byte]`; small enough to stay in a processor's cache. */
  readonly next: Uint16Array;
  /** Bytes that no word tells apart share a class. */
  readonly classes: Uint8Array;
  /** State after a newline, from where words that begin with a newline are found; it counts as accepting. */
  readonly lineStart: number;
  /** States from here on end a word. */
  readonly accepting: number;
  /** What a state found, by `state * banks + bank`. */
  readonly masks: Uint32Array;
  readonly banks: number;
}

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
const MAX_CLASSES = 1 << CLASS_BITS;
/** Bytes of characters that are not ASCII have the upper half of the classes. */
const WIDE = MAX_CLASSES / 2;

const NEWLINE = 10;
const OTHER = 0;
const DIGIT = 1;
export const LINE_END = 2;
const OTHER_WIDE = WIDE;
const ASCII = 128;

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
  /** What ends in a node, by `node * banks + bank`. */
  readonly masks: Uint32Array;
  /** 1 for a node that hides shorter words. */
  readonly stops: Uint8Array;
}

/** Builds the automaton; words beyond what the byte classes can tell apart share classes, which only adds candidates. */
export function createAutomaton(words: readonly AutomatonWord[]): Automaton {
  const banks = countBanks(words);
  return expandPlan(planAutomaton(words, banks), banks);
}

/** How many banks the words need. */
export function countBanks(words: readonly AutomatonWord[]): number {
  return words.reduce((most, { bank = 0 }) => Math.max(most, bank + 1), 1);
}

/** Puts the words in order, and those of a plan of as many banks or fewer with them. */
export function planAutomaton(words: readonly AutomatonWord[], banks = 1, known?: AutomatonPlan): AutomatonPlan {
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
  const order = trie.levels();
  const knownBanks = known === undefined ? 0 : known.masks.length / known.children.length;
  const masks = new Uint32Array(trie.size * banks);
  const stops = new Uint8Array(trie.size);
  const places = new Uint16Array(trie.size);
  const children = new Uint8Array(trie.size);
  const symbols = new Uint8Array(trie.size);
  for (let place = 0; place < order.length; place++) {
    const node = order[place] as number;
    places[node] = place;
    children[place] = trie.countChildren(node);
    symbols[place] = trie.symbols[node] as number;
    for (let bank = 0; bank < knownBanks; bank++) {
      masks[place * banks + bank] = known?.masks[node * knownBanks + bank] ?? 0;
    }
    stops[place] = known?.stops[node] ?? 0;
  }
  words.forEach((word, index) => {
    const node = places[ends[index] as number] as number;
    const slot = node * banks + (word.bank ?? 0);
    masks[slot] = (masks[slot] as number) | word.mask;
    if (word.stop === true) stops[node] = 1;
  });
  return { classes, children, symbols, masks, stops };
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

/** An automaton's tables are filled by `fillTables`, or by another way to the same. */
export function expandPlan(plan: AutomatonPlan, banks = 1, fill = fillTables): Automaton {
  const tables = fill(plan, banks);
  return { ...tables, classes: plan.classes, lineStart: tables.next[LINE_END] as number, banks };
}

/** What of an automaton takes the time to make. */
export type AutomatonTables = Pick<Automaton, "next" | "accepting" | "masks">;

/**
 * Fills in where a state goes on when its own word does not: level by level, as from the longest shorter beginning that
 * it ends with. States are numbered as they are met, accepting ones from the top.
 */
export function fillTables(plan: AutomatonPlan, banks: number): AutomatonTables {
  const { children, symbols, stops } = plan;
  const found = plan.masks.slice();
  const size = children.length;
  const next = new Uint16Array(size << CLASS_BITS);
  const masks = new Uint32Array(size * banks);
  const states = new Uint16Array(size);
  const fallbacks = new Uint16Array(size);
  let plain = 1;
  let accepting = size;
  for (let node = 0, child = 1; node < size; node++) {
    const row = (states[node] as number) << CLASS_BITS;
    const fallback = (fallbacks[node] as number) << CLASS_BITS;
    if (node !== 0) next.copyWithin(row, fallback, fallback + MAX_CLASSES);
    for (const end = child + (children[node] as number); child < end; child++) {
      const symbol = symbols[child] as number;
      const at = row | symbol;
      const shorter = next[at] as number;
      const isLineStart = node === 0 && symbol === LINE_END;
      let bits = isLineStart ? 1 : 0;
      for (let bank = 0; bank < banks; bank++) {
        const hidden = bank === 0 && stops[child] === 1;
        const inherited = hidden ? 0 : (masks[shorter * banks + bank] as number);
        const slot = child * banks + bank;
        found[slot] = (found[slot] as number) | inherited;
        bits |= found[slot] as number;
      }
      const state = bits === 0 ? plain++ : --accepting;
      for (let bank = 0; bank < banks; bank++) masks[state * banks + bank] = found[child * banks + bank] as number;
      states[child] = state;
      fallbacks[child] = shorter;
      next[at] = state;
    }
  }
  return { next, accepting, masks };
}
