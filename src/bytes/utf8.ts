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
type EncodeUnits = (text: string) => Uint8Array;

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

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();
/** From here on the engine encodes sooner than code of ours counts, however often it has run. */
const ENCODE_FROM_CHARS = 1024;
/** A compiled encoder is worth its making only for a text that is large. */
const COMPILE_FROM_UNITS = 1024 * 1024;
/** One for all, lent to one text at a time. */
let compiled: EncodeUnits | undefined;
let tried = false;

/** Bytes as text; what is not valid UTF-8 becomes replacement characters. */
export function decode(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** The UTF-8 bytes of a text, piece by piece in a reused buffer; lone surrogates become replacement characters. */
export function* encodeSlices(text: string): Generator<Uint8Array, void, void> {
  if (!tried && text.length >= COMPILE_FROM_UNITS) {
    tried = true;
    compiled = startEncoder();
  }
  const borrowed = text.length >= COMPILE_FROM_UNITS ? compiled : undefined;
  const encode = borrowed ?? plainEncoder(text.length);
  if (borrowed !== undefined) compiled = undefined;
  try {
    for (let start = 0; start < text.length; ) {
      let end = Math.min(text.length, start + ENCODED_UNITS);
      const last = text.charCodeAt(end - 1);
      if (end < text.length && last >= 0xd800 && last <= 0xdbff) end++;
      yield encode(text.slice(start, end));
      start = end;
    }
  } finally {
    compiled ??= borrowed;
  }
}

function plainEncoder(units: number): EncodeUnits {
  const buffer = new Uint8Array(Math.min(units + 1, ENCODED_UNITS + 1) * 3);
  return (text) => buffer.subarray(0, encoder.encodeInto(text, buffer).written);
}

/** UTF-8 bytes of a text. */
export function byteLength(text: string): number {
  let bytes = text.length;
  if (bytes >= ENCODE_FROM_CHARS) {
    bytes = 0;
    for (const slice of encodeSlices(text)) bytes += slice.length;
    return bytes;
  }
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes += 1;
    else if (unit >= 0xd800 && unit <= 0xdbff && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) {
      bytes += 2;
      index++;
    } else bytes += 2;
  }
  return bytes;
}

/** True for a byte that goes on with a code point. */
export function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/**
 * The largest position not after `end` at which no code point is split, given the bytes around it. Looks back at most
 * three bytes; bytes that are no valid UTF-8 are never moved.
 */
export function floorCodePoint(bytes: Uint8Array, end: number): number {
  if (end <= 0 || end >= bytes.length) return Math.max(0, Math.min(end, bytes.length));
  for (let back = 1; back <= 3 && end - back >= 0; back++) {
    const byte = bytes[end - back] as number;
    if (isContinuation(byte)) continue;
    const length = sequenceLength(byte);
    if (length <= back) return end;
    for (let at = end - back + 1; at < end - back + length; at++) {
      // Bytes beyond the end of what we have might complete the sequence, so they count as if they did.
      if (at < bytes.length && !isContinuation(bytes[at])) return end;
    }
    return end - back;
  }
  return end;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0 && lead <= 0xf4) return 4;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  return 1;
}
