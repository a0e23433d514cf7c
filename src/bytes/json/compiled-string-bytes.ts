import {
  add,
  advance,
  and,
  areByte,
  constant,
  countZerosBelow,
  get,
  highestBits,
  I32,
  isEqual,
  isLess,
  isZero,
  load8,
  load16Bytes,
  or,
  orBytes,
  PAGE_BYTES,
  type RunModule,
  type Running,
  repeatWhile,
  set,
  start,
  store,
  store8,
  store16Bytes,
  subtract,
  tee,
  V128,
  when,
} from "../webassembly.ts";
import { BACKSLASH, type Copied, plainStringBytes, QUOTE, SIMPLE, type StringBytes, stopsAt } from "./string-bytes.ts";

/** Bytes that the module takes at once. */
const STEP = 16;
/** Its memory: `SIMPLE`, where a copy stopped, the source, the target. */
const STOP_AT = 256;
const SOURCE_AT = 1024;
const SLICE_BYTES = 128 * 1024;
/** The module reads and writes up to a step too far. */
const TARGET_AT = SOURCE_AT + SLICE_BYTES + STEP;

const AT = 0;
const END = 1;
const TO = 2;
const COUNT = 3;
const BYTE = 4;
const BYTES = 5;

const stops = highestBits(orBytes(areByte(get(BYTES), QUOTE), areByte(get(BYTES), BACKSLASH)));
const backslash = and(isEqual(load8(get(AT)), constant(BACKSLASH)), isLess(add(get(AT), constant(1)), get(END)));

/**
 * Called with where the source begins and ends and where the target begins, it copies without escapes, however many there
 * are, as `copyUnescaped` does, and gives where the target ends.
 */
const UNESCAPER: RunModule = {
  parameters: 3,
  locals: [I32, I32, V128],
  body: [
    ...repeatWhile(isLess(get(AT), get(END)), [
      ...store16Bytes(get(TO), tee(BYTES, load16Bytes(get(AT)))),
      ...set(COUNT, countZerosBelow(or(stops, constant(1 << STEP)))),
      ...advance(AT, get(COUNT)),
      ...advance(TO, get(COUNT)),
      ...when(and(isLess(get(COUNT), constant(STEP)), isLess(get(AT), get(END))), [
        ...set(BYTE, and(load8(load8(get(AT), 1)), subtract(constant(0), backslash))),
        ...when(isZero(get(BYTE)), set(END, get(AT))),
        ...when(get(BYTE), [...store8(get(TO), get(BYTE)), ...advance(AT, constant(2)), ...advance(TO, constant(1))]),
      ]),
    ]),
    // The last step may have gone too far.
    ...store(constant(STOP_AT), get(END)),
    ...subtract(get(TO), subtract(get(AT), get(END))),
  ],
  pages: Math.ceil((TARGET_AT + SLICE_BYTES + STEP) / PAGE_BYTES),
};

/** In WebAssembly, best for many bytes; plain where there is none. */
export function createStringBytes(): StringBytes {
  const module = start(UNESCAPER);
  return module ? new CompiledStringBytes(module) : plainStringBytes;
}

class CompiledStringBytes implements StringBytes {
  readonly #module: Running;
  readonly #memory: Uint8Array;
  readonly #stop: Uint32Array;
  /** What of which source is in the module's memory. */
  #loaded: { readonly source?: Buffer; readonly from: number; readonly to: number } = { from: 0, to: 0 };

  constructor(module: Running) {
    this.#module = module;
    this.#memory = new Uint8Array(module.memory.buffer);
    this.#memory.set(SIMPLE);
    this.#stop = new Uint32Array(module.memory.buffer, STOP_AT, 1);
  }

  copyUnescaped(source: Buffer, target: Buffer, copied: Copied): void {
    while (copied.from < source.length && !stopsAt(source, copied.from)) {
      const { from, to } = copied;
      this.#step(source, copied);
      const bytes = copied.to - to;
      const inPlace =
        bytes === copied.from - from &&
        source.buffer === target.buffer &&
        source.byteOffset + from === target.byteOffset + to;
      if (!inPlace) target.set(this.#memory.subarray(TARGET_AT, TARGET_AT + bytes), to);
    }
  }

  findEnd(source: Buffer, from: number): number {
    const copied: Copied = { from, to: 0 };
    while (copied.from < source.length && source[copied.from] !== QUOTE) {
      this.#step(source, copied);
      // Whatever the escape is.
      if (source[copied.from] === BACKSLASH) copied.from += 2;
    }
    return copied.from;
  }

  /** Copies to the module's memory as much as that holds. */
  #step(source: Buffer, copied: Copied): void {
    const { from } = copied;
    // An escape may begin with the slice's last byte.
    if (this.#loaded.source !== source || from < this.#loaded.from || from + 1 >= this.#loaded.to)
      this.#load(source, from);
    const shift = SOURCE_AT - this.#loaded.from;
    const end = this.#module.run(from + shift, this.#loaded.to + shift, TARGET_AT);
    copied.from = this.#stop[0]! - shift;
    copied.to += end - TARGET_AT;
  }

  #load(source: Buffer, from: number): void {
    const slice = source.subarray(from, from + SLICE_BYTES);
    this.#memory.set(slice, SOURCE_AT);
    this.#loaded = { source, from, to: from + slice.length };
  }
}

let quick: StringBytes | undefined;

/** The quickest for many bytes, made with its first use. */
export function quickStringBytes(): StringBytes {
  quick ??= createStringBytes();
  return quick;
}
