import fc from "fast-check";
import { expect, test } from "vitest";
import { asciiEnd } from "../../src/bytes/ascii.ts";
import { countNewlines } from "../../src/bytes/count-newlines.ts";
import { byteLength, encodeSlices } from "../../src/bytes/utf8.ts";

const bytes = fc
  .array(
    fc.oneof(
      fc.constantFrom("a line\n", "\n", "of text ".repeat(20), "\n".repeat(300), "\x7f"),
      fc.constantFrom("é", "\0"),
    ),
    {
      maxLength: 60,
    },
  )
  .map((parts) => new TextEncoder().encode(parts.join("")));
const texts = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 80 }),
      fc.constantFrom("\ud83d", "\ude00", "one → ".repeat(30_000)),
    ),
    {
      maxLength: 8,
    },
  )
  .map((parts) => parts.join(""));

test("asciiEnd and countNewlines look at each byte of a range, wherever it lies in memory", () => {
  fc.assert(
    fc.property(bytes, fc.nat(9), fc.nat(9), (all, before, after) => {
      const memory = new Uint8Array(before + all.length + after).fill(0xff);
      memory.set(all, before);
      const range = memory.subarray(before, before + all.length);
      const first = all.findIndex((byte) => byte >= 0x80);
      expect(asciiEnd(range, 0, range.length)).toBe(first < 0 ? all.length : first);
      expect(asciiEnd(memory, before, before + all.length)).toBe(before + (first < 0 ? all.length : first));
      expect(countNewlines(range)).toBe(all.filter((byte) => byte === 10).length);
    }),
    { numRuns: 500 },
  );
});

test("encodeSlices gives the bytes of the whole text, halves of pairs as replacement characters", () => {
  fc.assert(
    fc.property(texts, (text) => {
      const slices =
        [...encodeSlices(text)].length === 0 ? [] : Array.from(encodeSlices(text), (slice) => Buffer.from(slice));
      expect(Buffer.concat(slices).equals(Buffer.from(text))).toBe(true);
      expect(byteLength(text)).toBe(Buffer.byteLength(text));
    }),
    { numRuns: 100 },
  );
});
