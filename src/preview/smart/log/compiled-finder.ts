import { PAGE_BYTES, type Running, start, startAssembled } from "../../../bytes/webassembly.ts";
import { type Automaton, LONGEST_WORD } from "./automaton.ts";
import {
  BYTES_AT,
  CLASSES_AT,
  FINDS_AT,
  MASKS_AT,
  ROWS_AT,
  RULES_OFFSET,
  STATE_BYTES,
  TABLE_AT,
} from "./finder-memory.ts";
import { finderModule } from "./finder-module.ts";
import { prebuilt } from "./prebuilt.ts";
import { FIND_BYTES, ROW_NUMBERS, type RowFinder, RULE_BANKS } from "./row-finder.ts";
import { ASKED_BIT } from "./row-words-code.ts";

/** Finds words and rows by WebAssembly. */
export class CompiledFinder implements RowFinder {
  count = 0;
  finds!: Uint32Array;
  rows!: Int32Array;
  readonly #module: Running;
  #bytes!: Uint8Array;
  /** The automaton that stands in memory. */
  #automaton: Automaton | undefined;

  private constructor(module: Running) {
    this.#module = module;
    this.#view();
  }

  /** Undefined where WebAssembly is not to be had. */
  static create(): CompiledFinder | undefined {
    const { finder } = prebuilt();
    const module = finder === undefined ? start(finderModule()) : startAssembled(fromBase64(finder));
    return module && new CompiledFinder(module);
  }

  find(bytes: Uint8Array, from: number, to: number, inLine: boolean, last: boolean, automaton: Automaton): void {
    if (automaton !== this.#automaton) this.#load(automaton);
    const { accepting, lineStart } = automaton;
    const before = inLine ? Math.min(from, LONGEST_WORD) : 0;
    this.#bytes.set(bytes.subarray(from - before, to), BYTES_AT);
    const first = BYTES_AT + before;
    const state = inLine ? 0 : lineStart;
    this.count = this.#module.run(BYTES_AT, first, first + (to - from), state, accepting, lineStart, last ? 1 : 0);
  }

  #load(automaton: Automaton): void {
    const { next, classes } = automaton;
    const { memory } = this.#module;
    const missing = TABLE_AT + next.byteLength - memory.buffer.byteLength;
    if (missing > 0) {
      memory.grow(Math.ceil(missing / PAGE_BYTES));
      this.#view();
    }
    // Doubled, as an entry of the table has two bytes.
    this.#bytes.set(
      classes.map((symbol) => symbol << 1),
      CLASSES_AT,
    );
    this.#loadMasks(automaton);
    new Uint16Array(memory.buffer, TABLE_AT, next.length).set(next);
    this.#automaton = automaton;
  }

  #loadMasks({ masks, banks, accepting }: Automaton): void {
    const states = masks.length / banks;
    const inMemory = new Uint32Array(this.#module.memory.buffer, MASKS_AT, (states * STATE_BYTES) / 4);
    for (let state = accepting; state < states; state++) {
      const from = state * banks;
      const at = (state * STATE_BYTES) / 4;
      let mask = masks[from] as number;
      for (let bank = 1 + RULE_BANKS; bank < banks; bank++) if (masks[from + bank] !== 0) mask |= ASKED_BIT;
      inMemory[at] = mask;
      for (let bank = 0; bank < RULE_BANKS; bank++) {
        inMemory[at + RULES_OFFSET / 4 + bank] = masks[from + 1 + bank] ?? 0;
      }
    }
  }

  #view(): void {
    const { buffer } = this.#module.memory;
    this.#bytes = new Uint8Array(buffer);
    this.finds = new Uint32Array(buffer, FINDS_AT, FIND_BYTES);
    this.rows = new Int32Array(buffer, ROWS_AT, ROW_NUMBERS * FIND_BYTES);
  }
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
