import {
  BEGINNING_BYTES,
  BEGINNINGS,
  BYTES_AT,
  ENDS_AT,
  lineScanModule,
  type Sought,
  TABLE_BYTES,
  TABLES_AT,
} from "./line-scan-code.ts";
import { SCAN_BYTES, STEP } from "./scan-steps.ts";
import { type Running, start } from "./webassembly.ts";

/** What a text may begin with: the values that each of its first bytes may have; undefined for any. */
export type Beginning = readonly (readonly number[] | undefined)[];

/** Knows what is looked for. */
export interface Beginnings {
  /** What it begins with, whatever the case. */
  readonly beginnings: readonly Beginning[];
}

/** A scanner is worth its making only for an output that is large. */
const COMPILE_FROM_BYTES = 1024 * 1024;
const BLANK = 0x20;

/** Shared: one for each of what can be sought. */
const scanners: (LineScanner | undefined)[] = [];

/** Gives the scanner of one output. */
export class OutputScanner {
  readonly #sought: Sought;
  readonly #question: Beginnings | undefined;
  #tables: Uint8Array | undefined;

  /** Looks for what a question begins with, if there is one, and for signs of source if asked to. */
  constructor(question: Beginnings | undefined, { signs = false } = {}) {
    this.#sought = { beginnings: question !== undefined, signs };
    this.#question = question;
  }

  /** The scanner for an output of which `seenBytes` are known; undefined while they are few, or without WebAssembly. */
  after(seenBytes: number): LineScanner | undefined {
    if (seenBytes < COMPILE_FROM_BYTES) return undefined;
    const kind = (this.#sought.beginnings ? 1 : 0) + (this.#sought.signs ? 2 : 0);
    if (!(kind in scanners)) {
      const module = start(lineScanModule(this.#sought));
      scanners[kind] = module && new LineScanner(module);
    }
    const scanner = scanners[kind];
    if (scanner !== undefined && this.#question !== undefined) {
      this.#tables ??= tablesOf(this.#question.beginnings);
      scanner.lookFor(this.#tables);
    }
    return scanner;
  }
}

/** Finds where lines end, which of them are sure to be plain text, and which are sure to hold nothing that is looked for. */
export class LineScanner {
  /** Of the lines that ended: how far behind the first byte, above the flags. */
  readonly ends: Uint32Array;
  readonly #module: Running;
  readonly #bytes: Uint8Array;
  readonly #flags: Uint32Array;
  #tables: Uint8Array | undefined;

  constructor(module: Running) {
    this.#module = module;
    this.#bytes = new Uint8Array(module.memory.buffer);
    this.#flags = new Uint32Array(module.memory.buffer, 0, 1);
    this.ends = new Uint32Array(module.memory.buffer, ENDS_AT, SCAN_BYTES);
  }

  /** Looks for what these tables tell. */
  lookFor(tables: Uint8Array): void {
    if (this.#tables !== tables) this.#bytes.set(tables, TABLES_AT);
    this.#tables = tables;
  }

  /**
   * Looks through at most `SCAN_BYTES` from `from` on, and gives how many lines ended. `goesOn` when a line does that
   * the scan before began.
   */
  scan(bytes: Uint8Array, from: number, goesOn: boolean): number {
    const part = bytes.subarray(from, from + SCAN_BYTES + STEP);
    const data = this.#bytes;
    data.set(part, BYTES_AT);
    data.fill(BLANK, BYTES_AT + part.length, BYTES_AT + part.length + STEP);
    const length = Math.min(part.length, SCAN_BYTES);
    return this.#module.run(BYTES_AT, BYTES_AT + length, goesOn ? (this.#flags[0] as number) : 0);
  }
}

/** The tables of what is looked for. */
function tablesOf(beginnings: readonly Beginning[]): Uint8Array {
  const tables = new Uint8Array(2 * BEGINNING_BYTES * TABLE_BYTES);
  const told = [...beginnings].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  told.forEach((beginning, index) => {
    // What begins alike shares a bit, so that few others look like a mixture of its beginnings.
    const bit = 1 << Math.floor((index * BEGINNINGS) / told.length);
    for (let place = 0; place < BEGINNING_BYTES; place++) {
      const low = 2 * place * TABLE_BYTES;
      for (const byte of beginning[place] ?? EVERY_BYTE) {
        tables[low + (byte & 15)] = (tables[low + (byte & 15)] as number) | bit;
        const high = low + TABLE_BYTES + (byte >> 4);
        tables[high] = (tables[high] as number) | bit;
      }
    }
  });
  return tables;
}

const EVERY_BYTE: readonly number[] = Array.from({ length: 256 }, (_, byte) => byte);

function keyOf(beginning: Beginning): string {
  return String.fromCharCode(...beginning.map((values) => values?.[0] ?? 0));
}
