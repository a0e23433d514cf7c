/**
 * Finds many words at once in bytes: one table lookup per byte. ASCII letters count in either case, others as a word
 * spells them.
 */
export interface Automaton {
  /** Next state by `state << CLASS_BITS | classes[byte] & CLASS_MASK`; small enough to stay in a processor's cache. */
  readonly next: Uint16Array;
  /** Bytes that no word tells apart share a class. Above the class stand `CONTROL` and `WIDE`. */
  readonly classes: Uint8Array;
  /** State after a newline, from where words that begin with a newline are found; it counts as accepting. */
  readonly lineStart: number;
  /** States from here on end a word. */
  readonly accepting: number;
  /** What a state found, by `state * banks + bank`. */
  readonly masks: Uint32Array;
}

/** A longer word is known by its beginning, which only adds candidates. In bytes. */
export const LONGEST_WORD = 32;

/** A word and the bits it sets. `0` stands for any digit; a `stop` word hides the shorter words it ends with. */
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
export const CLASS_MASK = MAX_CLASSES - 1;
/** Marks a byte of a character that is not ASCII: such bytes have the upper half of the classes. */
export const WIDE = 0x40;
/** Marks a control character that is not shown as it is. */
export const CONTROL = 0x80;

const NEWLINE = 10;
const TAB = 9;
const OTHER = 0;
const DIGIT = 1;
const LINE_END = 2;
const OTHER_WIDE = WIDE;
const ASCII = 128;

/** Builds the automaton; words beyond what the byte classes can tell apart share classes, which only adds candidates. */
export function createAutomaton(words: readonly AutomatonWord[], banks = 1): Automaton {
  const encoder = new TextEncoder();
  const encoded = words.map((word) => encoder.encode(lowerAscii(word.text)).subarray(0, LONGEST_WORD));
  const classes = classifyBytes(encoded);
  const trie = new Trie(encoded.reduce((sum, bytes) => sum + bytes.length, 2));
  // The state for the start of a line is always there.
  trie.add([LINE_END]);
  const ends = encoded.map((bytes) => trie.add(bytes.map((byte) => classes[byte] as number)));
  const masks = new Uint32Array(trie.size * banks);
  const stops = new Uint8Array(trie.size);
  words.forEach((word, index) => {
    const node = ends[index] as number;
    const slot = node * banks + (word.bank ?? 0);
    masks[slot] = (masks[slot] as number) | word.mask;
    if (word.stop === true) stops[node] = 1;
  });
  return { ...close(trie, masks, stops, banks), classes: flagged(classes) };
}

/** Where the line's start stands in every trie. */
const LINE_START = 1;

/** The words' beginnings, which are the automaton's states. */
class Trie {
  /** Nodes; 0 is the root. */
  size = 1;
  readonly symbols: Uint8Array;
  /** A node's first child and its next sibling, 0 for none. */
  readonly children: Uint16Array;
  readonly siblings: Uint16Array;

  constructor(most: number) {
    this.symbols = new Uint8Array(most);
    this.children = new Uint16Array(most);
    this.siblings = new Uint16Array(most);
  }

  /** Gives the node of a word. */
  add(symbols: Iterable<number>): number {
    let node = 0;
    for (const symbol of symbols) node = this.#child(node, symbol);
    return node;
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

function classifyBytes(encoded: readonly Uint8Array[]): Uint8Array {
  const classes = new Uint8Array(256);
  classes[NEWLINE] = LINE_END;
  classes.fill(OTHER_WIDE, ASCII);
  let narrow = 3;
  let wide = OTHER_WIDE + 1;
  for (let byte = 48; byte < 58; byte++) classes[byte] = DIGIT;
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

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function flagged(classes: Uint8Array): Uint8Array {
  return classes.map((symbol, byte) => {
    const control = (byte < 32 && byte !== TAB && byte !== NEWLINE) || byte === 127;
    return symbol | (control ? CONTROL : 0);
  });
}

/**
 * Fills in where a state goes on when its own word does not: level by level, as from the longest shorter beginning that
 * it ends with. States are numbered as they are met, accepting ones from the top.
 */
function close(trie: Trie, found: Uint32Array, stops: Uint8Array, banks: number): Omit<Automaton, "classes"> {
  const { size, symbols, children, siblings } = trie;
  const next = new Uint16Array(size << CLASS_BITS);
  const masks = new Uint32Array(size * banks);
  const states = new Uint16Array(size);
  const fallbacks = new Uint16Array(size);
  const queue = new Uint16Array(size);
  let plain = 1;
  let accepting = size;
  for (let head = 0, known = 1; head < known; head++) {
    const node = queue[head] as number;
    const row = (states[node] as number) << CLASS_BITS;
    const fallback = (fallbacks[node] as number) << CLASS_BITS;
    if (node !== 0) next.copyWithin(row, fallback, fallback + MAX_CLASSES);
    for (let child = children[node] as number; child !== 0; child = siblings[child] as number) {
      const at = row | (symbols[child] as number);
      const shorter = next[at] as number;
      let bits = child === LINE_START ? 1 : 0;
      for (let bank = 0; bank < banks; bank++) {
        const inherited = stops[child] === 1 ? 0 : (masks[shorter * banks + bank] as number);
        const slot = child * banks + bank;
        found[slot] = (found[slot] as number) | inherited;
        bits |= found[slot] as number;
      }
      const state = bits === 0 ? plain++ : --accepting;
      for (let bank = 0; bank < banks; bank++) masks[state * banks + bank] = found[child * banks + bank] as number;
      states[child] = state;
      fallbacks[child] = shorter;
      next[at] = state;
      queue[known++] = child;
    }
  }
  return { next, lineStart: states[LINE_START] as number, accepting, masks };
}
