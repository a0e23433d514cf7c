import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ENCODED_UNITS, encodeSlices, startEncoder } from "../../src/bytes/utf8.ts";

const units = fc.oneof(
  fc.string({ unit: "binary", maxLength: 80 }),
  fc.string({ unit: "grapheme-ascii", maxLength: 80 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 80 }).map((codes) => String.fromCharCode(...codes)),
  fc.constantFrom("\ud83d", "\ude00", "\ud83d\ud83d\ude00", "\u007f\u0080\u07ff\u0800\uffff", "\u{10ffff}"),
);
const text = fc.array(units, { maxLength: 8 }).map((parts) => parts.join(""));

describe("startEncoder", () => {
  const encode = startEncoder()!;

  it("encodes as the engine does, halves of pairs included", () => {
    fc.assert(
      fc.property(text, (text) => {
        expect(Buffer.from(encode(text))).toEqual(Buffer.from(new TextEncoder().encode(text)));
      }),
      { numRuns: 1000 },
    );
  });

  it("has room for a slice of the widest characters and half a pair more", () => {
    const widest = `${"漢".repeat(ENCODED_UNITS - 1)}😀`;
    expect(Buffer.from(encode(widest)).equals(Buffer.from(widest))).toBe(true);
  });
});

describe("encodeSlices", () => {
  it("gives two large texts that are encoded in turns their own bytes", () => {
    const texts = ["one → ".repeat(400_000), "other 😀 ".repeat(300_000)];
    const parts = texts.map((): Buffer[] => []);
    const slices = texts.map((text) => encodeSlices(text));
    for (let open = true; open; ) {
      open = false;
      const given = slices.map((each) => each.next());
      given.forEach(({ value }, index) => {
        if (value === undefined) return;
        parts[index]!.push(Buffer.from(value));
        open = true;
      });
    }
    texts.forEach((text, index) => {
      expect(Buffer.concat(parts[index]!).equals(Buffer.from(text))).toBe(true);
    });
  });
});
