import { assembleAsciiScanner } from "./assembled-scanners.ts";
import { SCAN_BYTES, STEP } from "./scan-steps.ts";
import { type Running, startAssembled } from "./webassembly.ts";

const NEWLINE = 0x0a;
/** The first step of the memory holds the newlines counted. */
const DATA_AT = STEP;
/** A compiled scanner is worth its making from an output of this size on: what JavaScript has begun, it would optimize. */
const COMPILE_FROM_BYTES = 32 * 1024;

/** Passes over the ASCII bytes of a chunk. Of one chunk, `start` comes first, then `skip` as often as needed. */
export interface AsciiScanner {
  /** At most `SCAN_BYTES`. */
  start(chunk: Uint8Array): void;
  /** Passes from `at` over bytes of the same chunk that are ASCII; gives where it stopped, perhaps some bytes early. */
  skip(chunk: Uint8Array, at: number): number;
  /** Newlines that the last `skip` passed. */
  readonly newlines: number;
}

/** The best there is, once one is worth its making. */
let quick: AsciiScanner | undefined;

/** A scanner for the next chunk of an output, with which `seenBytes` of it are known. Shared: use it to its end at once. */
export function asciiScanner(seenBytes: number): AsciiScanner {
  if (seenBytes >= COMPILE_FROM_BYTES) quick ??= compile() ?? plain;
  return quick ?? plain;
}

/** True when all bytes of a chunk are ASCII. */
export function isAscii(chunk: Uint8Array, seenBytes: number): boolean {
  const scanner = asciiScanner(seenBytes);
  scanner.start(chunk);
  let at = scanner.skip(chunk, 0);
  while (at < chunk.length && chunk[at]! < 0x80) at++;
  return at === chunk.length;
}

class PlainScanner implements AsciiScanner {
  newlines = 0;

  start(): void {}

  skip(chunk: Uint8Array, from: number): number {
    this.newlines = 0;
    let at = from;
    for (; at < chunk.length && ((chunk.byteOffset + at) & 3) !== 0; at++) if (!this.#take(chunk[at]!)) return at;
    if (at === chunk.length) return at;
    const words = new Int32Array(chunk.buffer, chunk.byteOffset + at, (chunk.length - at) >> 2);
    let newlines = 0;
    let index = 0;
    for (; index < words.length; index++) {
      const word = words[index]!;
      if ((word & 0x80808080) !== 0) break;
      // High bit set in each byte of `hits` where the byte is a newline; exact, no carries between bytes.
      let hits = ~(((word ^ 0x0a0a0a0a) + 0x7f7f7f7f) | 0x7f7f7f7f);
      for (; hits !== 0; hits &= hits - 1) newlines++;
    }
    this.newlines += newlines;
    at += index * 4;
    if (index < words.length) return at;
    for (; at < chunk.length; at++) if (!this.#take(chunk[at]!)) break;
    return at;
  }

  #take(byte: number): boolean {
    if (byte === NEWLINE) this.newlines++;
    return byte < 0x80;
  }
}

class CompiledScanner implements AsciiScanner {
  newlines = 0;
  readonly #module: Running;
  readonly #data: Uint8Array;
  readonly #result: Int32Array;
  #end = DATA_AT;

  constructor(module: Running) {
    this.#module = module;
    this.#data = new Uint8Array(module.memory.buffer, DATA_AT, SCAN_BYTES);
    this.#result = new Int32Array(module.memory.buffer, 0, 1);
  }

  start(chunk: Uint8Array): void {
    this.#data.set(chunk);
    this.#end = DATA_AT + chunk.length;
  }

  skip(_chunk: Uint8Array, at: number): number {
    const from = DATA_AT + at;
    const end = this.#end - ((this.#end - from) % STEP);
    const stopped = this.#module.run(from, end);
    this.newlines = this.#result[0]!;
    return stopped - DATA_AT;
  }
}

const plain = new PlainScanner();

function compile(): CompiledScanner | undefined {
  const module = startAssembled(assembleAsciiScanner());
  return module && new CompiledScanner(module);
}
