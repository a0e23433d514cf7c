/** Instructions that leave one value, or none, on the stack. */
export type Code = readonly number[];

const I32 = 0x7f;
const NO_VALUE = 0x40;

export const get = (local: number): Code => [0x20, ...unsigned(local)];
export const set = (local: number, value: Code): Code => [...value, 0x21, ...unsigned(local)];
export const constant = (value: number): Code => [0x41, ...signed(value)];
export const add = (left: Code, right: Code): Code => [...left, ...right, 0x6a];
export const subtract = (left: Code, right: Code): Code => [...left, ...right, 0x6b];
export const and = (left: Code, right: Code): Code => [...left, ...right, 0x71];
export const or = (left: Code, right: Code): Code => [...left, ...right, 0x72];
export const shiftLeft = (value: Code, bits: number): Code => [...value, ...constant(bits), 0x74];
export const shiftRight = (value: Code, bits: number): Code => [...value, ...constant(bits), 0x76];
export const isLess = (left: Code, right: Code): Code => [...left, ...right, 0x49];
export const isAtLeast = (left: Code, right: Code): Code => [...left, ...right, 0x4f];
export const load = (address: Code, offset = 0): Code => [...address, 0x28, 0, ...unsigned(offset)];
export const load8 = (address: Code, offset = 0): Code => [...address, 0x2d, 0, ...unsigned(offset)];
export const load16 = (address: Code, offset = 0): Code => [...address, 0x2f, 0, ...unsigned(offset)];
export const store = (address: Code, value: Code): Code => [...address, ...value, 0x36, 0, 0];
export const copy = (to: Code, from: Code, bytes: Code): Code => [...to, ...from, ...bytes, 0xfc, 0x0a, 0, 0];
export const when = (condition: Code, body: Code): Code => [...condition, 0x04, NO_VALUE, ...body, 0x0b];
export const repeatWhile = (condition: Code, body: Code): Code =>
  when(condition, [0x03, NO_VALUE, ...body, ...condition, 0x0d, 0, 0x0b]);

/** One function over a memory of its own, both exported; its locals are 32 bits wide, the first of them its parameters. */
export interface FunctionModule {
  readonly name: string;
  readonly parameters: number;
  readonly locals: number;
  /** Leaves the function's result. */
  readonly body: Code;
  /** Of 64 KB each. */
  readonly pages: number;
}

/** The bytes of a WebAssembly module. */
export function assemble({ name, parameters, locals, body, pages }: FunctionModule): Uint8Array<ArrayBuffer> {
  const own = [1, ...unsigned(locals - parameters), I32];
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, ...sized(Array.from({ length: parameters }, () => I32)), 1, I32]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, ...unsigned(pages)]),
    ...section(7, [2, ...text("memory"), 2, 0, ...text(name), 0, 0]),
    ...section(10, [1, ...sized([...own, ...body, 0x0b])]),
  ]);
}

function section(id: number, content: Code): Code {
  return [id, ...sized(content)];
}

function text(ascii: string): Code {
  return sized([...ascii].map((character) => character.charCodeAt(0)));
}

function sized(content: Code): Code {
  return [...unsigned(content.length), ...content];
}

/** LEB128: seven bits to a byte, the lowest first. */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): Code {
  return value >= -0x40 && value < 0x40 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}
