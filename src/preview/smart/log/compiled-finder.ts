import { PAGE_BYTES, type Running, start } from "../../../bytes/webassembly.ts";
import { type Automaton, LONGEST_WORD } from "./automaton.ts";
import { BYTES_AT, CLASSES_AT, FINDS_AT, finderModule, TABLE_AT } from "./finder-module.ts";
import { FIND_BYTES, type WordFinder } from "./word-finder.ts";

/** Finds words by WebAssembly. */
export class CompiledFinder implements WordFinder {
  count = 0;
  finds: Uint32Array;
  readonly #module: Running;
  #bytes: Uint8Array;
  /** The automaton that stands in memory. */
  #automaton: Automaton | undefined;

  private constructor(module: Running) {
    this.#module = module;
    this.#bytes = new Uint8Array(module.memory.buffer);
    this.finds = new Uint32Array(module.memory.buffer, FINDS_AT, FIND_BYTES + 1);
  }

  /** Undefined where WebAssembly is not to be had. */
  static create(): CompiledFinder | undefined {
    const module = start(finderModule());
    return module && new CompiledFinder(module);
  }

  find(bytes: Uint8Array, from: number, to: number, inLine: boolean, automaton: Automaton): void {
    if (automaton !== this.#automaton) this.#load(automaton);
    const before = inLine ? Math.min(from, LONGEST_WORD) : 0;
    this.#bytes.set(bytes.subarray(from - before, to), BYTES_AT);
    const first = BYTES_AT + before;
    const state = inLine ? 0 : automaton.lineStart;
    this.count = this.#module.run(BYTES_AT, first, first + (to - from), state, automaton.accepting);
  }

  #load(automaton: Automaton): void {
    const { next, classes } = automaton;
    const { memory } = this.#module;
    const missing = TABLE_AT + next.byteLength - memory.buffer.byteLength;
    if (missing > 0) {
      memory.grow(Math.ceil(missing / PAGE_BYTES));
      this.#bytes = new Uint8Array(memory.buffer);
      this.finds = new Uint32Array(memory.buffer, FINDS_AT, FIND_BYTES + 1);
    }
    this.#bytes.set(classes, CLASSES_AT);
    new Uint16Array(memory.buffer, TABLE_AT, next.length).set(next);
    this.#automaton = automaton;
  }
}
