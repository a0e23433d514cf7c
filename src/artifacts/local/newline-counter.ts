/** 64 KB pages of the memory that the counter works on. */
export const NEWLINE_COUNTER_PAGES = 64;

/**
 * A WebAssembly module that counts newlines 16 bytes at a time, ten times as fast as JavaScript can. In text form:
 *
 *     (module
 *       (import "e" "m" (memory 64 64 shared))
 *       (func (export "c") (param $at i32) (param $end i32) (result i32) (local $count i32)
 *         (loop
 *           (local.set $count (i32.add (local.get $count) (i32.popcnt (i8x16.bitmask
 *             (i8x16.eq (v128.load (local.get $at)) (i8x16.splat (i32.const 10)))))))
 *           (br_if 0 (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end))))
 *         (local.get $count)))
 *
 * `$end - $at` must be a positive multiple of 16.
 */
export const NEWLINE_COUNTER_HEX = [
  "0061736d01000000",
  "01070160027f7f017f",
  "0209010165016d02034040",
  "03020100",
  "07050101630000",
  "0a2b012901017f",
  "0340200220",
  "00fd000000410afd0ffd23fd64696a2102",
  "200041106a2200200149",
  "0d000b20020b",
].join("");

/** Memory that threads share, for blocks and counter alike; `memory` itself is what a worker receives. */
export interface CounterMemory {
  readonly memory: object;
  readonly buffer: SharedArrayBuffer;
}

/** Makes the memory that the counter works on. */
export function createCounterMemory(): CounterMemory {
  const { WebAssembly } = globalThis as unknown as {
    WebAssembly: { Memory: new (limits: object) => { readonly buffer: SharedArrayBuffer } };
  };
  const pages = NEWLINE_COUNTER_PAGES;
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  return { memory, buffer: memory.buffer };
}
