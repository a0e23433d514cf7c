import { type Automaton, CLASS_BITS, CLASS_MASK, CONTROL, LONGEST_WORD, WIDE } from "./automaton.ts";
import { FIND_BYTES, FLAG_SHIFT, STATE_SHIFT, type WordFinder } from "./word-finder.ts";

/** Finds words where WebAssembly is not to be had, more slowly. */
export class PlainFinder implements WordFinder {
  readonly finds = new Uint32Array(FIND_BYTES + 1);
  count = 0;

  find(bytes: Uint8Array, from: number, to: number, inLine: boolean, automaton: Automaton): void {
    const { next, classes, accepting, lineStart } = automaton;
    const { finds } = this;
    let state = inLine ? 0 : lineStart;
    let flags = 0;
    let count = 0;
    for (let index = inLine ? Math.max(0, from - LONGEST_WORD) : from; index < to; index++) {
      const symbol = classes[bytes[index] as number] as number;
      state = next[(state << CLASS_BITS) | (symbol & CLASS_MASK)] as number;
      if (index < from) continue;
      flags |= symbol;
      if (state < accepting) continue;
      finds[count++] = (state << STATE_SHIFT) | ((flags & (CONTROL | WIDE)) << FLAG_SHIFT) | (index - from);
      flags = 0;
    }
    finds[count] = (flags & (CONTROL | WIDE)) << FLAG_SHIFT;
    this.count = count;
  }
}
