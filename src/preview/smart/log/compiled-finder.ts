import { PAGE_BYTES, type Running, startAssembled } from "../../../bytes/webassembly.ts";
import type { Automaton, AutomatonStates, AutomatonTables } from "./automaton.ts";
import { type AutomatonPlan, CLASS_BITS, LINE_END, LONGEST_WORD, STATE_NUMBERS } from "./automaton-plan.ts";
import { BYTES_AT, CLASSES_AT, FINDS_AT, MASKS_AT, ROWS_AT, TABLE_AT } from "./finder-memory.ts";
import { assembleFinder } from "./prebuilt-finder.ts";
import { FIND_BYTES, ROW_NUMBERS, type RowFinder } from "./row-finder.ts";

/** Finds words and rows by WebAssembly. */
export class CompiledFinder implements RowFinder {
  count = 0;
  finds!: Uint32Array;
  rows!: Int32Array;
  readonly #module: Running;
  #bytes!: Uint8Array;
  /** The automaton that stands in memory. */
  #automaton: Automaton | undefined;
  #tables: AutomatonTables | undefined;
  #accepting = 0;
  #lineStart = 0;

  private constructor(module: Running) {
    this.#module = module;
    this.#view();
  }

  /** Undefined where WebAssembly is not to be had. */
  static create(): CompiledFinder | undefined {
    const module = startAssembled(assembleFinder());
    return module && new CompiledFinder(module);
  }

  find(bytes: Uint8Array, from: number, to: number, inLine: boolean, last: boolean, automaton: Automaton): void {
    if (automaton !== this.#automaton) this.#load(automaton);
    const before = inLine ? Math.min(from, LONGEST_WORD) : 0;
    this.#bytes.set(bytes.subarray(from - before, to), BYTES_AT);
    const first = BYTES_AT + before;
    const lineStart = this.#lineStart;
    const state = inLine ? 0 : lineStart;
    this.count = this.#module.run(
      BYTES_AT,
      first,
      first + (to - from),
      state,
      this.#accepting,
      lineStart,
      last ? 1 : 0,
    );
  }

  statesOf(automaton: Automaton): AutomatonStates {
    if (automaton !== this.#automaton) this.#load(automaton);
    const { buffer } = this.#module.memory;
    const { size, stateKinds, fallbacks } = layOut(automaton.plan);
    return {
      accepting: this.#accepting,
      lineStart: this.#lineStart,
      kinds: new Uint16Array(buffer, stateKinds, size).slice(),
      fallbacks: new Uint16Array(buffer, fallbacks, size).slice(),
    };
  }

  tablesOf(automaton: Automaton): AutomatonTables {
    if (automaton !== this.#automaton && automaton !== this.#automaton?.base) this.#load(automaton);
    this.#tables ??= this.#viewTables((this.#automaton ?? automaton).plan);
    return this.#tables;
  }

  #viewTables({ classes, children }: AutomatonPlan): AutomatonTables {
    const { buffer } = this.#module.memory;
    return {
      classes,
      next: new Uint16Array(buffer, TABLE_AT, children.length << CLASS_BITS),
      masks: new Int32Array(buffer, MASKS_AT, children.length * STATE_NUMBERS),
      accepting: this.#accepting,
    };
  }

  #load(automaton: Automaton): void {
    const { plan } = automaton;
    const { memory, prepare } = this.#module;
    const { size, children, symbols, kinds, found, states, stateKinds, fallbacks, end } = layOut(plan);
    const missing = end - memory.buffer.byteLength;
    if (missing > 0) {
      memory.grow(Math.ceil(missing / PAGE_BYTES));
      this.#view();
    }
    const bytes = this.#bytes;
    // Doubled, as an entry of the table has two bytes.
    bytes.set(
      plan.classes.map((symbol) => symbol << 1),
      CLASSES_AT,
    );
    bytes.set(plan.children, children);
    bytes.set(plan.symbols, symbols);
    new Uint16Array(memory.buffer, kinds, size).set(plan.kinds);
    new Int32Array(memory.buffer, found, plan.found.length).set(plan.found);
    // The state before any byte goes on only where a word begins, and is made of nothing.
    bytes.fill(0, TABLE_AT, TABLE_AT + (2 << CLASS_BITS));
    for (const list of [states, stateKinds, fallbacks]) bytes.fill(0, list, list + 2);
    this.#accepting = prepare?.(size, children, symbols, kinds, found, states, stateKinds, fallbacks) ?? 0;
    this.#lineStart = new Uint16Array(memory.buffer, TABLE_AT)[LINE_END] as number;
    this.#automaton = automaton;
    this.#tables = undefined;
  }

  #view(): void {
    const { buffer } = this.#module.memory;
    this.#bytes = new Uint8Array(buffer);
    this.finds = new Uint32Array(buffer, FINDS_AT, FIND_BYTES);
    this.rows = new Int32Array(buffer, ROWS_AT, ROW_NUMBERS * FIND_BYTES);
  }
}

/** Where the lists of a plan stand in memory after its table, and those of what becomes of it. */
function layOut(plan: AutomatonPlan) {
  const size = plan.children.length;
  const found = TABLE_AT + (size << (CLASS_BITS + 1));
  const kinds = found + plan.found.byteLength;
  const states = kinds + 2 * size;
  const stateKinds = states + 2 * size;
  const fallbacks = stateKinds + 2 * size;
  const children = fallbacks + 2 * size;
  const symbols = children + size;
  return { size, found, kinds, states, stateKinds, fallbacks, children, symbols, end: symbols + size };
}
