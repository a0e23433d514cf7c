import { type Automaton, LONGEST_WORD } from "./automaton.ts";
import { BYTES_AT, CLASSES_AT, FINDS_AT, type Find, finderModule, PAGE_BYTES, TABLE_AT } from "./finder-module.ts";
import { FIND_BYTES, type WordFinder } from "./word-finder.ts";

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** As much of the global as is used here; no type library without a browser has it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object) => { readonly exports: { readonly memory: Memory; readonly find: Find } };
};

/** Finds words by WebAssembly. */
export class CompiledFinder implements WordFinder {
  count = 0;
  finds: Uint32Array;
  readonly #memory: Memory;
  readonly #find: Find;
  #bytes: Uint8Array;
  /** The automaton that stands in memory. */
  #automaton: Automaton | undefined;

  private constructor(memory: Memory, find: Find) {
    this.#memory = memory;
    this.#find = find;
    this.#bytes = new Uint8Array(memory.buffer);
    this.finds = new Uint32Array(memory.buffer, FINDS_AT, FIND_BYTES + 1);
  }

  /** Undefined where WebAssembly is not to be had. */
  static create(): CompiledFinder | undefined {
    try {
      const { memory, find } = new WebAssembly.Instance(new WebAssembly.Module(finderModule())).exports;
      return new CompiledFinder(memory, find);
    } catch {
      return undefined;
    }
  }

  find(bytes: Uint8Array, from: number, to: number, inLine: boolean, automaton: Automaton): void {
    if (automaton !== this.#automaton) this.#load(automaton);
    const start = inLine ? Math.max(0, from - LONGEST_WORD) : from;
    this.#bytes.set(bytes.subarray(start, to), BYTES_AT);
    const state = inLine ? 0 : automaton.lineStart;
    const end = BYTES_AT + (to - start);
    this.count = this.#find(BYTES_AT, BYTES_AT + (from - start), end, state, automaton.accepting);
  }

  #load(automaton: Automaton): void {
    const { next, classes } = automaton;
    const missing = TABLE_AT + next.byteLength - this.#memory.buffer.byteLength;
    if (missing > 0) {
      this.#memory.grow(Math.ceil(missing / PAGE_BYTES));
      this.#bytes = new Uint8Array(this.#memory.buffer);
      this.finds = new Uint32Array(this.#memory.buffer, FINDS_AT, FIND_BYTES + 1);
    }
    this.#bytes.set(classes, CLASSES_AT);
    new Uint16Array(this.#memory.buffer, TABLE_AT, next.length).set(next);
    this.#automaton = automaton;
  }
}
