const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** What a one-letter escape stands for, by its letter; 0 where JSON has none. */
const SIMPLE = new Uint8Array(256);
for (const [letter, byte] of Object.entries({
  '"': 0x22,
  "\\": 0x5c,
  "/": 0x2f,
  b: 0x08,
  f: 0x0c,
  n: 0x0a,
  r: 0x0d,
  t: 0x09,
}))
  SIMPLE[letter.charCodeAt(0)] = byte;

/** How far a copy came: bytes read from the source, bytes written to the target. */
export interface Copied {
  from: number;
  to: number;
}

/** Works on the bytes inside of a JSON string. */
export interface StringBytes {
  /**
   * Copies without escapes, as far as they are of one letter: from `source` at `copied.from` on to `target` at
   * `copied.to` on, both moved along. Stops before any other escape, at the quote that ends the string, or at the end.
   * The target may be the source itself. Bytes of a source object that are still to be read must not change between calls.
   */
  copyUnescaped(source: Buffer, target: Buffer, copied: Copied): void;
  /**
   * The place of the quote that ends the string, from a place outside of an escape on. Without one it is the source's
   * length, and one more when the last byte begins an escape.
   */
  findEnd(source: Buffer, from: number): number;
}

/** In plain JavaScript: best for few bytes, or where a copy stops often. */
export const plainStringBytes: StringBytes = {
  copyUnescaped(source, target, copied) {
    let quote = copied.from - 1;
    while (copied.from < source.length) {
      const backslash = source.indexOf(BACKSLASH, copied.from);
      if (quote < copied.from) quote = source.indexOf(QUOTE, copied.from) >>> 0;
      const end = Math.min(backslash >>> 0, quote, source.length);
      copied.to += source.copy(target, copied.to, copied.from, end);
      copied.from = end;
      if (stopsAt(source, end)) return;
      if (end === backslash) {
        target[copied.to++] = SIMPLE[source[end + 1]!]!;
        copied.from += 2;
      }
    }
  },
  findEnd(source, from) {
    for (let at = from; ; ) {
      const quote = source.indexOf(QUOTE, at);
      const end = quote < 0 ? source.length : quote;
      let start = end;
      while (start > from && source[start - 1] === BACKSLASH) start -= 1;
      const escaped = (end - start) % 2 === 1;
      if (quote < 0) return escaped ? end + 1 : end;
      if (!escaped) return end;
      at = quote + 1;
    }
  },
};

function stopsAt(source: Buffer, at: number): boolean {
  return source[at] === QUOTE || (source[at] === BACKSLASH && !SIMPLE[source[at + 1] ?? 0]);
}

/**
 * A WebAssembly module that takes 16 bytes at a time, however many escapes there are, and makes no garbage. In text form:
 *
 *     (module
 *       (memory (export "m") 5 5)
 *       (func (export "u") (param $at i32) (param $end i32) (param $to i32) (result i32)
 *         (local $n i32) (local $byte i32) (local $bytes v128)
 *         (block $done
 *           (loop $next
 *             (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
 *             (v128.store (local.get $to) (local.tee $bytes (v128.load (local.get $at))))
 *             (local.set $n (i32.ctz (i32.or (i32.const 0x10000) (i8x16.bitmask (v128.or
 *               (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 34)))
 *               (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 92))))))))
 *             (if (i32.ge_u (i32.add (local.get $at) (local.get $n)) (local.get $end)) (then
 *               (local.set $to (i32.sub (i32.add (local.get $to) (local.get $end)) (local.get $at)))
 *               (local.set $at (local.get $end))
 *               (br $done)))
 *             (local.set $at (i32.add (local.get $at) (local.get $n)))
 *             (local.set $to (i32.add (local.get $to) (local.get $n)))
 *             (br_if $next (i32.eq (local.get $n) (i32.const 16)))
 *             (br_if $done (i32.eq (i32.load8_u (local.get $at)) (i32.const 34)))
 *             (br_if $done (i32.ge_u (i32.add (local.get $at) (i32.const 1)) (local.get $end)))
 *             (br_if $done (i32.eqz (local.tee $byte (i32.load8_u (i32.load8_u offset=1 (local.get $at))))))
 *             (i32.store8 (local.get $to) (local.get $byte))
 *             (local.set $at (i32.add (local.get $at) (i32.const 2)))
 *             (local.set $to (i32.add (local.get $to) (i32.const 1)))
 *             (br $next)))
 *         (i32.store (i32.const 256) (local.get $at))
 *         (local.get $to))
 *       (func (export "e") (param $at i32) (param $end i32) (result i32) (local $n i32) (local $bytes v128)
 *         (loop $next
 *           (if (i32.ge_u (local.get $at) (local.get $end)) (then (return (local.get $at))))
 *           (local.set $n (i32.ctz (i32.or (i32.const 0x10000) (i8x16.bitmask (v128.or
 *             (i8x16.eq (local.tee $bytes (v128.load (local.get $at))) (i8x16.splat (i32.const 34)))
 *             (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 92))))))))
 *           (if (i32.ge_u (local.tee $at (i32.add (local.get $at) (local.get $n))) (local.get $end))
 *             (then (return (local.get $end))))
 *           (br_if $next (i32.eq (local.get $n) (i32.const 16)))
 *           (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 34)) (then (return (local.get $at))))
 *           (local.set $at (i32.add (local.get $at) (i32.const 2)))
 *           (br $next))
 *         (unreachable)))
 *
 * Its memory holds `SIMPLE` at 0, where a copy stopped at 256, then the source and the target.
 */
const MODULE_HEX = [
  "0061736d01000000",
  "010e0260037f7f7f017f60027f7f017f",
  "0303020001",
  "050401010505",
  "070d03016d02000175000001650001",
  "0a9a0202",
  "b00102027f017b",
  "02400340200020014f0d01",
  "20022000fd0000002205fd0b0000",
  "20054122fd0ffd23200541dc00fd0ffd23fd50fd644180800472682103",
  "200020036a20014f0440200220016a20006b2102200121000c020b",
  "200020036a2100200220036a2102",
  "20034110460d00",
  "20002d00004122460d01",
  "200041016a20014f0d01",
  "20002d00012d00002204450d01",
  "200220043a0000",
  "200041026a2100200241016a2102",
  "0c000b0b",
  "418002200036020020020b",
  "6602017f017b",
  "0340200020014f044020000f0b",
  "2000fd00000022034122fd0ffd23200341dc00fd0ffd23fd50fd644180800472682102",
  "200020026a220020014f044020010f0b",
  "20024110460d00",
  "20002d0000412246044020000f0b",
  "200041026a2100",
  "0c000b000b",
].join("");
const STOP_INDEX = 256 / 4;
const SOURCE_START = 1024;
const SLICE_BYTES = 128 * 1024;
/** The module reads and writes up to 16 bytes too far. */
const TARGET_START = SOURCE_START + SLICE_BYTES + 64;

interface StringModule {
  readonly m: { readonly buffer: ArrayBuffer };
  u(at: number, end: number, to: number): number;
  e(at: number, end: number): number;
}

/** In WebAssembly, best for many bytes; plain where there is none. */
export function createStringBytes(): StringBytes {
  const module = instantiate();
  if (!module) return plainStringBytes;
  const memory = new Uint8Array(module.m.buffer);
  const words = new Uint32Array(module.m.buffer);
  memory.set(SIMPLE);
  /** What of which source is in the module's memory. */
  let loaded: { source: Buffer | undefined; from: number; to: number } = { source: undefined, from: 0, to: 0 };
  const load = (source: Buffer, from: number): void => {
    const slice = source.subarray(from, from + SLICE_BYTES);
    memory.set(slice, SOURCE_START);
    loaded = { source, from, to: from + slice.length };
  };
  return {
    copyUnescaped(source, target, copied) {
      while (copied.from < source.length && !stopsAt(source, copied.from)) {
        const { from } = copied;
        // An escape may begin with the slice's last byte.
        if (loaded.source !== source || from < loaded.from || from + 1 >= loaded.to) load(source, from);
        const shift = SOURCE_START - loaded.from;
        const targetEnd = module.u(from + shift, loaded.to + shift, TARGET_START);
        const read = words[STOP_INDEX]! - shift - from;
        const written = targetEnd - TARGET_START;
        const inPlace =
          written === read &&
          source.buffer === target.buffer &&
          source.byteOffset + from === target.byteOffset + copied.to;
        if (!inPlace) target.set(memory.subarray(TARGET_START, targetEnd), copied.to);
        copied.from += read;
        copied.to += written;
      }
    },
    findEnd(source, from) {
      let at = from;
      while (at < source.length) {
        load(source, at);
        const sliceEnd = SOURCE_START + loaded.to - at;
        const end = module.e(SOURCE_START, sliceEnd);
        at += end - SOURCE_START;
        if (end < sliceEnd) break;
      }
      return at;
    },
  };
}

function instantiate(): StringModule | undefined {
  try {
    const { WebAssembly } = globalThis as unknown as {
      WebAssembly: {
        Module: new (bytes: Uint8Array) => object;
        Instance: new (module: object) => { readonly exports: StringModule };
      };
    };
    return new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(MODULE_HEX, "hex"))).exports;
  } catch {
    return undefined;
  }
}

let quick: StringBytes | undefined;

/** The quickest for many bytes, made with its first use. */
export function quickStringBytes(): StringBytes {
  quick ??= createStringBytes();
  return quick;
}
