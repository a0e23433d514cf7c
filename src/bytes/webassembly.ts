/**
 * As much of WebAssembly as the scanners need, for loops over every byte that JavaScript is too slow for. A module is
 * put together from instructions when it is first used; there is nothing to compile beforehand and no file to find.
 */

/** Instructions that leave one value, or none, on the stack. */
export type Code = readonly number[];

/** Types of local variables: a number of 32 bits, or 16 bytes at once. */
export const I32 = 0x7f;
export const V128 = 0x7b;
const NO_VALUE = 0x40;

export const get = (local: number): Code => [0x20, ...unsigned(local)];
export const set = (local: number, value: Code): Code => [...value, 0x21, ...unsigned(local)];
/** Sets a local variable and leaves its value. */
export const tee = (local: number, value: Code): Code => [...value, 0x22, ...unsigned(local)];
/** Moves an address, or whatever a local variable counts, on. */
export const advance = (local: number, by: Code): Code => set(local, add(get(local), by));
export const constant = (value: number): Code => [0x41, ...signed(value)];
export const multiply = (left: Code, right: Code): Code => [...left, ...right, 0x6c];
export const add = (left: Code, right: Code): Code => [...left, ...right, 0x6a];
export const subtract = (left: Code, right: Code): Code => [...left, ...right, 0x6b];
export const and = (left: Code, right: Code): Code => [...left, ...right, 0x71];
export const or = (left: Code, right: Code): Code => [...left, ...right, 0x72];
export const shiftRight = (value: Code, bits: number): Code => [...value, ...constant(bits), 0x76];
export const shiftRightBy = (value: Code, bits: Code): Code => [...value, ...bits, 0x76];
export const isEqual = (left: Code, right: Code): Code => [...left, ...right, 0x46];
export const isZero = (value: Code): Code => [...value, 0x45];
export const isLess = (left: Code, right: Code): Code => [...left, ...right, 0x49];
export const load = (address: Code, offset = 0): Code => [...address, 0x28, 0, ...unsigned(offset)];
export const load8 = (address: Code, offset = 0): Code => [...address, 0x2d, 0, ...unsigned(offset)];
export const store = (address: Code, value: Code, offset = 0): Code => [
  ...address,
  ...value,
  0x36,
  0,
  ...unsigned(offset),
];
export const store8 = (address: Code, value: Code): Code => [...address, ...value, 0x3a, 0, 0];
export const when = (condition: Code, body: Code): Code => [...condition, 0x04, NO_VALUE, ...body, 0x0b];
export const repeatWhile = (condition: Code, body: Code): Code =>
  when(condition, [0x03, NO_VALUE, ...body, ...condition, 0x0d, 0, 0x0b]);
/** How many of the lowest bits are 0. */
export const countZerosBelow = (value: Code): Code => [...value, 0x68];
export const load16Bytes = (address: Code, offset = 0): Code => [...address, 0xfd, 0, 0, ...unsigned(offset)];
export const store16Bytes = (address: Code, bytes: Code): Code => [...address, ...bytes, 0xfd, 0x0b, 0, 0];
const fill16Bytes = (value: Code): Code => [...value, 0xfd, 0x0f];
export const equalBytes = (left: Code, right: Code): Code => [...left, ...right, 0xfd, 0x23];
export const areByte = (bytes: Code, byte: number): Code => equalBytes(bytes, fill16Bytes(constant(byte)));
export const orBytes = (left: Code, right: Code): Code => [...left, ...right, 0xfd, 0x50];
export const andBytes = (left: Code, right: Code): Code => [...left, ...right, 0xfd, 0x4e];
export const andEachByte = (bytes: Code, mask: number): Code => andBytes(bytes, fill16Bytes(constant(mask)));
/** Shifts each of 16 bytes by itself. */
export const shiftBytesRight = (bytes: Code, bits: number): Code => [...bytes, ...constant(bits), 0xfd, 0x6d];
/** Of a table of 16 bytes the entry for each of 16 indices; 0 for an index that is no entry's. */
export const lookUp16Bytes = (table: Code, indices: Code): Code => [...table, ...indices, 0xfd, 0x0e];
/** One bit for each of 16 bytes: its highest. */
export const highestBits = (bytes: Code): Code => [...bytes, 0xfd, 0x64];

export interface RunFunction {
  /** How many parameters the function has, all of 32 bits; they are the first local variables. */
  readonly parameters: number;
  /** The types of the further local variables. */
  readonly locals: readonly number[];
  /** Leaves the function's result. */
  readonly body: Code;
}

/** One function over a memory of its own, exported as `run` and `memory`. */
export interface RunModule extends RunFunction {
  /** Another function over the same memory, exported as `prepare`. */
  readonly prepare?: RunFunction;
  /** Memory to begin with, in pages of 64 KB. */
  readonly pages: number;
}

export const PAGE_BYTES = 65_536;

/** What a module offers. */
export interface Running {
  readonly run: (...parameters: number[]) => number;
  readonly prepare?: (...parameters: number[]) => number;
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
}

/** As much of the global as is used here; no type library without a browser has it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object) => { readonly exports: Running };
};

/** Undefined where WebAssembly is not to be had. */
export function start(module: RunModule): Running | undefined {
  return startAssembled(assemble(module));
}

/** The same for a module that was put together beforehand. */
export function startAssembled(module: Uint8Array<ArrayBuffer>): Running | undefined {
  try {
    return new WebAssembly.Instance(new WebAssembly.Module(module)).exports;
  } catch {
    return undefined;
  }
}

/** A module as WebAssembly takes it. */
export function assemble({ prepare, pages, ...run }: RunModule): Uint8Array<ArrayBuffer> {
  const functions = prepare === undefined ? [run] : [run, prepare];
  const list = (parts: readonly Code[]): Code => [...unsigned(parts.length), ...parts.flat()];
  const exported = (name: string, index: number): Code => [...text(name), 0, index];
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list(functions.map(typeOf))),
    ...section(3, list(functions.map((_, index) => [index]))),
    ...section(5, [1, 0, ...unsigned(pages)]),
    ...section(
      7,
      list([[...text("memory"), 2, 0], ...functions.map((_, index) => exported(EXPORTED[index] as string, index))]),
    ),
    ...section(10, list(functions.map(codeOf))),
  ]);
}

const EXPORTED = ["run", "prepare"];

function typeOf({ parameters }: RunFunction): Code {
  return [0x60, ...sized(Array.from({ length: parameters }, () => I32)), 1, I32];
}

function codeOf({ locals, body }: RunFunction): Code {
  return sized([...unsigned(locals.length), ...locals.flatMap((type) => [1, type]), ...body, 0x0b]);
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
