import fc from "fast-check";

/** Splits bytes at the given fractions, empty chunks included. */
export function chunked(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const offsets = [...cuts.map((cut) => Math.floor(cut * bytes.length)), 0, bytes.length].sort((a, b) => a - b);
  return offsets.slice(1).map((end, index) => bytes.subarray(offsets[index], end));
}

/** Texts of every sort that a tool may print: many short lines, long lines, CRLF, escapes, progress, wide characters. */
export const outputText = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.string({ maxLength: 40 }) },
      { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 60 }) },
      { weight: 1, arbitrary: fc.nat(400).map((n) => "x".repeat(n)) },
      { weight: 1, arbitrary: fc.nat(200).map((n) => "漢字😀".repeat(n)) },
      { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 30 }) },
      {
        weight: 1,
        arbitrary: fc.constantFrom("\u001b[31mred\u001b[0m", "10%\r50%\r100%", "a\r", "", "\0nul", "\ud800lone"),
      },
    ),
    { maxLength: 80 },
  )
  .chain((lines) =>
    fc.constantFrom("\n", "\r\n").chain((eol) => fc.boolean().map((final) => lines.join(eol) + (final ? eol : ""))),
  );

/** Raw bytes, valid UTF-8 or not. */
export const outputBytes = fc.oneof(
  { weight: 3, arbitrary: outputText.map((text) => new TextEncoder().encode(text)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 3000, size: "max" }) },
);

export const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 });
