/** Finds many words at once in bytes, without regard to ASCII case: one table lookup per byte. */
export interface Automaton {
  /** Next state by `state << CLASS_BITS | classes[byte]`; small enough to stay in a processor's cache. */
  readonly next: Uint16Array;
  /** Bytes that no word tells apart share a class. */
  readonly classes: Uint8Array;
  /** State after a newline, from where words that begin with a newline are found; it counts as accepting. */
  readonly lineStart: number;
  /** States from here on end a word. */
  readonly accepting: number;
  /** What a state found. */
  readonly masks: Uint32Array;
}

/** A word and the bits it sets. `0` stands for any digit; a `stop` word hides the shorter words it ends with. */
export interface AutomatonWord {
  readonly text: string;
  readonly mask: number;
  readonly stop?: boolean;
}

const NEWLINE = 10;
const OTHER = 0;
const DIGIT = 1;
/** How far a state is shifted to index its row of the table. */
export const CLASS_BITS = 6;
const MAX_CLASSES = 1 << CLASS_BITS;

/** Builds the automaton; words beyond what 64 byte classes can tell apart share classes, which only adds candidates. */
export function createAutomaton(words: readonly AutomatonWord[]): Automaton {
  const encoder = new TextEncoder();
  const encoded = words.map((word) => encoder.encode(word.text.toLowerCase()));
  const classes = classifyBytes(encoded);
  // A state for the start of a line is always there, whether or not a word begins with one.
  const children: (number[] | undefined)[] = [[]];
  const masks: number[] = [0];
  const stops: boolean[] = [false];

  children[0] = [];
  children[0][classes[NEWLINE] ?? OTHER] = 1;
  children.push(undefined);
  masks.push(0);
  stops.push(false);
  words.forEach((word, index) => {
    let state = 0;
    for (const byte of encoded[index] ?? []) {
      const symbol = classes[byte] ?? OTHER;
      const row = children[state] ?? [];
      children[state] = row;
      let child = row[symbol];
      if (child === undefined) {
        child = masks.length;
        row[symbol] = child;
        children.push(undefined);
        masks.push(0);
        stops.push(false);
      }
      state = child;
    }
    masks[state] = (masks[state] ?? 0) | word.mask;
    if (word.stop === true) stops[state] = true;
  });
  return close(classes, children, masks, stops);
}

function classifyBytes(encoded: readonly Uint8Array[]): Uint8Array {
  const classes = new Uint8Array(256);
  classes[NEWLINE] = 2;
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

/** Fills in the failure transitions, then numbers the states so that accepting ones come last. */
function close(
  classes: Uint8Array,
  children: readonly (number[] | undefined)[],
  masks: number[],
  stops: readonly boolean[],
): Automaton {
  const size = masks.length;
  const table = new Uint32Array(size * MAX_CLASSES);
  const failure = new Uint32Array(size);
  const queue: number[] = [0];
  for (let head = 0; head < queue.length; head++) {
    const state = queue[head] ?? 0;
    const fallback = failure[state] ?? 0;
    if (state !== 0 && stops[state] !== true) masks[state] = (masks[state] ?? 0) | (masks[fallback] ?? 0);
    const row = children[state];
    for (let symbol = 0; symbol < MAX_CLASSES; symbol++) {
      const child = row?.[symbol];
      const inherited = state === 0 ? 0 : (table[fallback * MAX_CLASSES + symbol] ?? 0);
      table[state * MAX_CLASSES + symbol] = child ?? inherited;
      if (child !== undefined) {
        failure[child] = inherited;
        queue.push(child);
      }
    }
  }
  const lineStart = table[classes[NEWLINE] ?? OTHER] ?? 0;
  const accepts = (state: number): boolean => masks[state] !== 0 || state === lineStart;
  const quiet = queue.filter((state) => !accepts(state));
  const order = [...quiet, ...queue.filter(accepts)];
  const renamed = new Uint16Array(size);
  order.forEach((state, index) => {
    renamed[state] = index;
  });
  const next = new Uint16Array(size * MAX_CLASSES);
  const found = new Uint32Array(size);
  for (let index = 0; index < size; index++) {
    const state = order[index] ?? 0;
    found[index] = masks[state] ?? 0;
    const row = state * MAX_CLASSES;
    const to = index << CLASS_BITS;
    for (let symbol = 0; symbol < MAX_CLASSES; symbol++) {
      next[to | symbol] = renamed[table[row + symbol] as number] as number;
    }
  }
  return { next, classes, lineStart: renamed[lineStart] ?? 0, accepting: quiet.length, masks: found };
}
