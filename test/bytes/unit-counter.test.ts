import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UnitCounter } from "../../src/bytes/unit-counter.ts";

const encoder = new TextEncoder();

/** Bytes as they come: text, and sequences that are cut, overlong, surrogates or out of range. */
const bytes = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 40 }).map((text) => encoder.encode(text)),
      fc.string({ maxLength: 60 }).map((text) => encoder.encode(`${text}\n`)),
      fc.uint8Array({ maxLength: 12 }),
      fc.constantFrom([0xe0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90], [0xf0, 0x9f, 0x98], [0xc0, 0xaf]),
    ),
    { maxLength: 30 },
  )
  .map((parts) => Uint8Array.from(parts.flatMap((part) => [...part])));

function count(chunks: readonly Uint8Array[]): { units: number; newlines: number } {
  const counter = new UnitCounter();
  for (const chunk of chunks) counter.write(chunk);
  counter.end();
  return { units: counter.units, newlines: counter.newlines };
}

function decoded(all: Uint8Array): { units: number; newlines: number } {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(all);
  return { units: text.length, newlines: text.split("\n").length - 1 };
}

describe("UnitCounter", () => {
  it("counts what a decoder gives, in any chunks", () => {
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(80), { maxLength: 20 }), (all, cuts) => {
        const chunks: Uint8Array[] = [];
        let at = 0;
        for (const cut of cuts) {
          chunks.push(all.subarray(at, at + cut));
          at += cut;
        }
        chunks.push(all.subarray(at));
        expect(count(chunks)).toEqual(decoded(all));
      }),
      { numRuns: 400 },
    );
  });

  it("counts the same after many other bytes", () => {
    const filler = encoder.encode("a line of filler, and then ✓\n".repeat(40_000));
    fc.assert(
      fc.property(bytes, fc.nat(64), (all, shift) => {
        const chunk = new Uint8Array(shift + all.length).fill(0x61, 0, shift);
        chunk.set(all, shift);
        const before = count([filler]);
        const after = count([filler, chunk]);
        const expected = decoded(chunk);
        expect({ units: after.units - before.units, newlines: after.newlines - before.newlines }).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });
});
