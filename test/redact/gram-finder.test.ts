import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Detector } from "../../src/redact/detector.ts";
import { createCompiledFinder, createPlainFinder } from "../../src/redact/gram-finder.ts";
import { foldGram } from "../../src/redact/gram-set.ts";

const detector = new Detector(new Map([["Zq9~some-value", "env-x"]]));
const { grams } = detector;

/** True where a gram stands in the very case that its rule looks for: a finder may leave out what differs in case alone. */
function isGram(bytes: Uint8Array, at: number): boolean {
  return (detector.placesOf(foldGram(bytes, at)) ?? []).some(({ rule }) =>
    rule.anchors.some(({ gram }) => gram.every((set, index) => set.includes(String.fromCharCode(bytes[at + index]!)))),
  );
}

/** The places of grams in the set, as a finder has them. */
function placesBy(finder: ReturnType<typeof createPlainFinder>, bytes: Uint8Array): number[] {
  const count = finder.find(grams, bytes, 0, bytes.length);
  return [...finder.finds.subarray(0, count)].filter((at) => at + 4 <= bytes.length && isGram(bytes, at));
}

describe("the finder of grams", () => {
  const compiled = createCompiledFinder();
  const plain = createPlainFinder();

  it("finds by WebAssembly what it finds without", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "ghp_",
        "GHP_",
        "AKIA",
        "pass",
        "PassW",
        "://",
        "x://",
        "BEGIN",
        "token",
        "Zq9~",
        "api_key",
        "Q~",
        "sk-a",
      ),
      fc.string({ maxLength: 12 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const bytes = Buffer.from(pieces.join(""));
        expect(compiled && placesBy(compiled, bytes)).toEqual(placesBy(plain, bytes));
      }),
      { numRuns: 300, examples: [[["pass", "k20"]], [["GHP_", "SK0123"]]] },
    );
  });
});
