const NEWLINE = 0x0a;
/** Bytes that the compiled scanner takes at once. */
const STEP = 16;
/** The first step of the memory holds the newlines counted. */
const DATA_AT = STEP;
/** Bytes that a scanner takes at most. */
export const SCAN_BYTES = 64 * 1024;
/** A compiled scanner is worth its making only for an output that is large. */
const COMPILE_FROM_BYTES = 1024 * 1024;

/**
 * A WebAssembly module that passes over ASCII 16 bytes at a time and counts newlines, several times as fast as
 * JavaScript can. In text form:
 *
 *     (module
 *       (memory (export "memory") 2 2)
 *       (func (export "scan") (param $at i32) (param $end i32) (result i32)
 *         (local $bytes v128) (local $newlines i32)
 *         (block $stop
 *           (loop $next
 *             (br_if $stop (i32.ge_u (local.get $at) (local.get $end)))
 *             (local.set $bytes (v128.load (local.get $at)))
 *             (br_if $stop (i8x16.bitmask (local.get $bytes)))
 *             (local.set $newlines (i32.add (local.get $newlines) (i32.popcnt (i8x16.bitmask
 *               (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 10)))))))
 *             (local.set $at (i32.add (local.get $at) (i32.const 16)))
 *             (br $next)))
 *         (i32.store (i32.const 0) (local.get $newlines))
 *         (local.get $at)))
 */
const MODULE_HEX = [
  "0061736d01000000",
  "01070160027f7f017f",
  "03020100",
  "050401010202",
  "071102066d656d6f72790200047363616e0000",
  "0a45014302017b017f",
  "02400340200020014f0d01",
  "2000fd00040021022002fd640d01",
  "20032002410afd0ffd23fd64696a2103",
  "200041106a21000c000b0b",
  "4100200336020020000b",
].join("");

/** Passes over the ASCII bytes of a chunk. Of one chunk, `start` comes first, then `skip` as often as needed. */
export interface AsciiScanner {
  /** At most `SCAN_BYTES`. */
  start(chunk: Uint8Array): void;
  /** Passes from `at` over bytes of the same chunk that are ASCII; gives where it stopped, perhaps some bytes early. */
  skip(chunk: Uint8Array, at: number): number;
  /** Newlines that the last `skip` passed. */
  readonly newlines: number;
}

let compiled: CompiledScanner | undefined | "impossible";

/** A scanner for the next chunk of an output of which `seenBytes` have passed. Shared: use it to its end at once. */
export function asciiScanner(seenBytes: number): AsciiScanner {
  if (compiled === undefined && seenBytes >= COMPILE_FROM_BYTES) compiled = compile();
  return compiled === undefined || compiled === "impossible" ? plain : compiled;
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
  readonly #scan: (at: number, end: number) => number;
  readonly #data: Uint8Array;
  readonly #result: Int32Array;
  #end = DATA_AT;

  constructor(scan: (at: number, end: number) => number, memory: ArrayBuffer) {
    this.#scan = scan;
    this.#data = new Uint8Array(memory, DATA_AT, SCAN_BYTES);
    this.#result = new Int32Array(memory, 0, 1);
  }

  start(chunk: Uint8Array): void {
    this.#data.set(chunk);
    this.#end = DATA_AT + chunk.length;
  }

  skip(_chunk: Uint8Array, at: number): number {
    const from = DATA_AT + at;
    const end = this.#end - ((this.#end - from) % STEP);
    const stopped = this.#scan(from, end);
    this.newlines = this.#result[0]!;
    return stopped - DATA_AT;
  }
}

const plain = new PlainScanner();

function compile(): CompiledScanner | "impossible" {
  try {
    const { WebAssembly } = globalThis as unknown as { WebAssembly: WebAssemblyGlobal };
    const bytes = Uint8Array.from(MODULE_HEX.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
    const { scan, memory } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
    return new CompiledScanner(scan, memory.buffer);
  } catch {
    return "impossible";
  }
}

interface WebAssemblyGlobal {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
  ) => {
    readonly exports: {
      readonly scan: (at: number, end: number) => number;
      readonly memory: { readonly buffer: ArrayBuffer };
    };
  };
}
