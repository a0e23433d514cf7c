import {
  add,
  advance,
  and,
  andEachUnit,
  bytesOfUnits,
  type Code,
  choose,
  constant,
  get,
  hasBits,
  I32,
  isAtLeast,
  isEqual,
  isLess,
  isZero,
  load16,
  load16Bytes,
  or,
  orBytes,
  PAGE_BYTES,
  type RunModule,
  repeatWhile,
  set,
  shiftLeft,
  shiftRight,
  start,
  store8,
  store16Bytes,
  tee,
  V128,
  when,
} from "./webassembly.ts";

/** UTF-16 units that are encoded at once, and room for one half of a pair. */
export const ENCODED_UNITS = 64 * 1024;
const ROOM_UNITS = ENCODED_UNITS + 8;
const OUTPUT_AT = ROOM_UNITS * 2;
/** Bytes that units take that are passed at once. */
const STEP = 32;

const AT = 0;
const END = 1;
const TO = 2;
const UNIT = 3;
const FIRST = 4;
const SECOND = 5;

/** Writes the last bytes of a code point, six bits each, behind its first. */
function storeCodePoint(first: Code, further: number): Code {
  const bytes = [store8(get(TO), first)];
  for (let byte = 1; byte <= further; byte++) {
    const bits = and(shiftRight(get(UNIT), 6 * (further - byte)), constant(0x3f));
    bytes.push(store8(add(get(TO), constant(byte)), or(constant(0x80), bits)));
  }
  return [...bytes.flat(), ...advance(TO, constant(further + 1))];
}

const lead = (mark: number, further: number): Code => or(constant(mark), shiftRight(get(UNIT), 6 * further));
const isHalf = (unit: Code, mask: number, mark: number): Code => isEqual(and(unit, constant(mask)), constant(mark));

/** The next code point by itself; half a pair becomes the replacement character. */
function encodeOne(): Code {
  const pairs = and(isLess(get(AT), get(END)), isHalf(load16(get(AT)), 0xfc00, 0xdc00));
  const joined = add(
    constant(0x10000),
    or(shiftLeft(and(get(UNIT), constant(0x3ff)), 10), and(load16(get(AT)), constant(0x3ff))),
  );
  return [
    ...set(UNIT, load16(get(AT))),
    ...advance(AT, constant(2)),
    ...when(isHalf(get(UNIT), 0xf800, 0xd800), [
      ...choose(
        and(isLess(get(UNIT), constant(0xdc00)), pairs),
        [...set(UNIT, joined), ...advance(AT, constant(2))],
        set(UNIT, constant(0xfffd)),
      ),
    ]),
    ...choose(
      isLess(get(UNIT), constant(0x800)),
      choose(isLess(get(UNIT), constant(0x80)), storeCodePoint(get(UNIT), 0), storeCodePoint(lead(0xc0, 1), 1)),
      choose(isLess(get(UNIT), constant(0x10000)), storeCodePoint(lead(0xe0, 2), 2), storeCodePoint(lead(0xf0, 3), 3)),
    ),
  ];
}

/** Called with the addresses of UTF-16 units, of their end and of the output, it gives the end of the output. */
function encoderModule(): RunModule {
  const both = orBytes(tee(FIRST, load16Bytes(get(AT))), tee(SECOND, load16Bytes(get(AT), 16)));
  const isAscii = and(isAtLeast(get(END), add(get(AT), constant(STEP))), isZero(hasBits(andEachUnit(both, 0xff80))));
  return {
    parameters: 3,
    locals: [I32, V128, V128],
    body: [
      ...repeatWhile(
        isLess(get(AT), get(END)),
        choose(
          isAscii,
          [
            ...store16Bytes(get(TO), bytesOfUnits(get(FIRST), get(SECOND))),
            ...advance(AT, constant(STEP)),
            ...advance(TO, constant(STEP / 2)),
          ],
          encodeOne(),
        ),
      ),
      ...get(TO),
    ],
    pages: Math.ceil((OUTPUT_AT + ROOM_UNITS * 3) / PAGE_BYTES),
  };
}

/** Gives the UTF-8 bytes of at most `ENCODED_UNITS` + 1 units, in memory that the next call uses again. */
export type EncodeUnits = (text: string) => Uint8Array;

/** As much of Node's Buffer as is used here; elsewhere there is none. */
interface NodeBuffer {
  from(memory: ArrayBuffer): { write(text: string, offset: number, encoding: "utf16le"): number };
}

/**
 * An encoder several times as fast as that of the engine, which looks at each unit by itself; undefined where text cannot
 * be copied as it stands in memory, as Node does.
 */
export function startEncoder(): EncodeUnits | undefined {
  const node = (globalThis as { readonly Buffer?: unknown }).Buffer as NodeBuffer | undefined;
  const module = node && start(encoderModule());
  if (module === undefined) return undefined;
  const units = node!.from(module.memory.buffer);
  const output = new Uint8Array(module.memory.buffer, OUTPUT_AT);
  return (text) => output.subarray(0, module.run(0, units.write(text, 0, "utf16le"), OUTPUT_AT) - OUTPUT_AT);
}
