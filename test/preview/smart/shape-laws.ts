import fc from "fast-check";
import { expect } from "vitest";
import { countLines } from "../../../src/bytes/count-newlines.ts";
import { cleanLine } from "../../../src/preview/clean.ts";
import { stamp } from "../../../src/preview/mark.ts";
import { accountFor, type Position, type Room } from "../../../src/preview/pieces.ts";
import type { Analyzer, AnalyzerOptions, Selection } from "../../../src/preview/smart/analyzer.ts";

type Create = (options: AnalyzerOptions) => Analyzer;

/** A room of so many bytes and characters, without other limits. */
export function roomOf(bytes: number, over: Partial<Room> = {}): Room {
  const countTokens = (text: string): number => Math.ceil(text.length / 3);
  return { lines: Infinity, bytes, chars: bytes, tokens: Infinity, countTokens, ...over };
}

/** The end of an output, counted in the plainest way. */
export function endOf(bytes: Uint8Array): Position {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  const lines = text.split("\n").length;
  return { line: lines, byte: bytes.length, char: text.length, inLine: text !== "" && !text.endsWith("\n") };
}

/** Reads `input` in chunks of `step` bytes. */
export function select(create: Create, input: string | Uint8Array, room: Room, query = "", step = 65_536): Selection {
  const bytes = typeof input === "string" ? new TextEncoder().encode(input) : input;
  const analyzer = create({ room, query });
  for (let at = 0; at < bytes.length; at += step) analyzer.write(bytes.slice(at, at + step));
  const selection = analyzer.finish(room, endOf(bytes));
  return { ...selection, text: stamp(selection.text, undefined) };
}

/** Checks what every analyzer promises, on one input. */
export function expectLaws(create: Create, input: string | Uint8Array, room: Room, query = ""): Selection {
  const bytes = typeof input === "string" ? new TextEncoder().encode(input) : input;
  const selection = select(create, bytes, room, query);
  const { text, pieces } = selection;
  expect(text.isWellFormed()).toBe(true);
  expect(text.length).toBeLessThanOrEqual(room.chars);
  expect(new TextEncoder().encode(text).length).toBeLessThanOrEqual(room.bytes);
  // A final newline does not open another line.
  expect(countLines(text)).toBeLessThanOrEqual(room.lines);
  expect(room.countTokens(text)).toBeLessThanOrEqual(room.tokens);
  const marked = text.split("\n").map((line) => /^\s*… .* …$/.test(line));
  expect(marked.some((marker, index) => marker && marked[index + 1] === true)).toBe(false);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let before = 0;
  for (const { start, end } of pieces) {
    expect(start.byte).toBeGreaterThanOrEqual(before);
    expect(end.byte).toBeGreaterThan(start.byte);
    before = end.byte;
    for (const at of [start, end]) {
      const prefix = decoder.decode(bytes.slice(0, at.byte));
      expect(at.char).toBe(prefix.length);
      expect(at.line).toBe(prefix.split("\n").length);
      expect(at.inLine === true).toBe(prefix !== "" && !prefix.endsWith("\n"));
    }
  }
  expect(before).toBeLessThanOrEqual(bytes.length);
  const end = endOf(bytes);
  const { kept, omissions } = accountFor(pieces, end);
  expect(kept.bytes + omissions.reduce((sum, omission) => sum + omission.bytes, 0)).toBe(bytes.length);
  expect(kept.chars + omissions.reduce((sum, omission) => sum + omission.chars, 0)).toBe(end.char);
  for (const step of [1, 7, 1000]) {
    if (bytes.length / step > 20_000) continue;
    expect(select(create, bytes, room, query, step)).toEqual(selection);
  }
  return selection;
}

/** Checks that a shape made of lines shows exactly the lines that its pieces name, each in its place. */
export function expectShownLines(input: Uint8Array, { text, pieces }: Selection): void {
  const shown = text.split("\n");
  let at = 0;
  for (const { start, end } of pieces) {
    const raw = new TextDecoder("utf-8", { ignoreBOM: true }).decode(input.slice(start.byte, end.byte));
    for (const line of raw.replace(/\n$/, "").split("\n")) {
      const clean = cleanLine(line.endsWith("\r") ? line.slice(0, -1) : line);
      const found = shown.findIndex((each, index) => index >= at && each.includes(clean));
      expect(found, `${JSON.stringify(clean)} is shown, in its place`).toBeGreaterThanOrEqual(at);
      at = found + 1;
    }
  }
}

/** Checks that a shape which names folders or files once shows of each line that its pieces name what stands behind that name. */
export function expectShownTails(
  input: Uint8Array,
  { text, pieces }: Selection,
  tailOf: (line: string) => string,
): void {
  for (const { start, end } of pieces) {
    const raw = new TextDecoder("utf-8", { ignoreBOM: true }).decode(input.slice(start.byte, end.byte));
    for (const line of raw.replace(/\n$/, "").split("\n")) {
      const tail = tailOf(cleanLine(line.endsWith("\r") ? line.slice(0, -1) : line));
      expect(text.includes(tail), `${JSON.stringify(tail)} is shown`).toBe(true);
    }
  }
}

/** Bytes of any kind with a taste of the shape: its own words in random order among random text. */
export function mixedBytes(words: readonly string[]): fc.Arbitrary<Uint8Array> {
  const part = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...words) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
    { weight: 1, arbitrary: fc.constantFrom("\n", "\r\n", " ", "\t", "é", "😀", "\u001b[31m") },
  );
  const bytes = fc.uint8Array({ maxLength: 6 });
  return fc
    .array(fc.oneof({ weight: 8, arbitrary: part }, { weight: 1, arbitrary: bytes }), { maxLength: 120, size: "max" })
    .map((parts) => {
      const encoder = new TextEncoder();
      const all = parts.map((value) => (typeof value === "string" ? encoder.encode(value) : value));
      const joined = new Uint8Array(all.reduce((sum, value) => sum + value.length, 0));
      let at = 0;
      for (const value of all) {
        joined.set(value, at);
        at += value.length;
      }
      return joined;
    });
}

/** Runs the laws on random input in random rooms. */
export function checkLaws(
  create: Create,
  words: readonly string[],
  {
    runs = 25,
    lines: ofLines = false,
    tailOf,
  }: { readonly runs?: number; readonly lines?: boolean; readonly tailOf?: (line: string) => string } = {},
): void {
  const room = fc.record({
    bytes: fc.integer({ min: 0, max: 3000 }),
    lines: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 60 })),
    tokens: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 600 })),
  });
  const query = fc.constantFrom("", "why does the parser fail on unicode_input?", "é 😀 error");
  fc.assert(
    fc.property(mixedBytes(words), room, query, (bytes, { bytes: size, lines, tokens }, asked) => {
      const selection = expectLaws(create, bytes, roomOf(size, { lines, tokens }), asked);
      if (ofLines) expectShownLines(bytes, selection);
      if (tailOf !== undefined) expectShownTails(bytes, selection, tailOf);
    }),
    { numRuns: runs },
  );
}
