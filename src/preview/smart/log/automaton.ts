/** Finds many words at once in bytes, without regard to ASCII case: one table lookup per byte. */
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
export const CLASS_BITS = 6;
const MAX_CLASSES = 1 << CLASS_BITS;
export const CLASS_MASK = MAX_CLASSES - 1;
/** Marks a control character that is not shown as it is. */
export const CONTROL = 0x40;
/** Marks a byte of a character that is not ASCII. */
export const WIDE = 0x80;

const NEWLINE = 10;
const TAB = 9;
const OTHER = 0;
const DIGIT = 1;
const LINE_END = 2;

/** Builds the automaton; words beyond what 64 byte classes can tell apart share classes, which only adds candidates. */
export function createAutomaton(words: readonly AutomatonWord[], banks = 1): Automaton {
  const encoder = new TextEncoder();
  const encoded = words.map((word) => encoder.encode(word.text.toLowerCase()).subarray(0, LONGEST_WORD));
  const classes = classifyBytes(encoded);
  // The root, the state for the start of a line, which is always there, and one per byte of a word at most.
  const most = encoded.reduce((sum, bytes) => sum + bytes.length, 2);
  const children = new Uint16Array(most << CLASS_BITS);
  const masks = new Uint32Array(most * banks);
  const stops = new Uint8Array(most);
  children[LINE_END] = 1;
  let size = 2;
  words.forEach((word, index) => {
    let state = 0;
    for (const byte of encoded[index] ?? []) {
      const at = (state << CLASS_BITS) | (classes[byte] as number);
      if (children[at] === 0) children[at] = size++;
      state = children[at] as number;
    }
    const slot = state * banks + (word.bank ?? 0);
    masks[slot] = (masks[slot] as number) | word.mask;
    if (word.stop === true) stops[state] = 1;
  });
  const { next, order } = close(children, size, masks, stops, banks);
  return number(next, order, masks, banks, flagged(classes));
}

function classifyBytes(encoded: readonly Uint8Array[]): Uint8Array {
  const classes = new Uint8Array(256);
  classes[NEWLINE] = LINE_END;
  let count = 3;
  for (let byte = 48; byte < 58; byte++) classes[byte] = DIGIT;
  for (const bytes of encoded) {
    for (const byte of bytes) {
      if (classes[byte] !== OTHER) continue;
      const symbol = count < MAX_CLASSES ? count++ : MAX_CLASSES - 1;
      classes[byte] = symbol;
      if (byte >= 97 && byte <= 122) classes[byte - 32] = symbol;
    }
  }
  return classes;
}

function flagged(classes: Uint8Array): Uint8Array {
  return classes.map((symbol, byte) => {
    const control = (byte < 32 && byte !== TAB && byte !== NEWLINE) || byte === 127;
    return symbol | (control ? CONTROL : 0) | (byte >= 0x80 ? WIDE : 0);
  });
}

/** Fills in where a state goes on when its own word does not: level by level, from the state's longest known ending. */
function close(
  children: Uint16Array,
  size: number,
  masks: Uint32Array,
  stops: Uint8Array,
  banks: number,
): { readonly next: Uint16Array; readonly order: Uint16Array } {
  const next = new Uint16Array(size << CLASS_BITS);
  const fallbacks = new Uint16Array(size);
  const order = new Uint16Array(size);
  let known = 1;
  for (let head = 0; head < known; head++) {
    const state = order[head] as number;
    const fallback = fallbacks[state] as number;
    const row = state << CLASS_BITS;
    if (state !== 0) {
      for (let bank = 0; bank < banks && stops[state] === 0; bank++) {
        const slot = state * banks + bank;
        masks[slot] = (masks[slot] as number) | (masks[fallback * banks + bank] as number);
      }
      next.copyWithin(row, fallback << CLASS_BITS, (fallback + 1) << CLASS_BITS);
    }
    for (let at = row; at < row + MAX_CLASSES; at++) {
      const child = children[at] as number;
      if (child === 0) continue;
      fallbacks[child] = next[at] as number;
      next[at] = child;
      order[known++] = child;
    }
  }
  return { next, order };
}

/** Numbers the states so that accepting ones come last. */
function number(
  next: Uint16Array,
  order: Uint16Array,
  masks: Uint32Array,
  banks: number,
  classes: Uint8Array,
): Automaton {
  const size = order.length;
  const accepts = new Uint8Array(size);
  accepts[1] = 1;
  for (let slot = 0; slot < size * banks; slot++) if (masks[slot] !== 0) accepts[Math.floor(slot / banks)] = 1;
  const numbered = new Uint16Array(size);
  const names = new Uint16Array(size);
  let named = 0;
  let accepting = 0;
  for (let kind = 0; kind < 2; kind++) {
    if (kind === 1) accepting = named;
    for (let index = 0; index < size; index++) {
      const state = order[index] as number;
      if (accepts[state] !== kind) continue;
      numbered[named] = state;
      names[state] = named++;
    }
  }
  const renamed = new Uint16Array(size << CLASS_BITS);
  const found = new Uint32Array(size * banks);
  for (let index = 0; index < size; index++) {
    const state = numbered[index] as number;
    for (let bank = 0; bank < banks; bank++) found[index * banks + bank] = masks[state * banks + bank] as number;
    const from = state << CLASS_BITS;
    const to = index << CLASS_BITS;
    for (let symbol = 0; symbol < MAX_CLASSES; symbol++) {
      renamed[to + symbol] = names[next[from + symbol] as number] as number;
    }
  }
  return { next: renamed, classes, lineStart: names[1] as number, accepting, masks: found };
}
