import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Automaton, CONTROL, createAutomaton, WIDE } from "../../../../src/preview/smart/log/automaton.ts";
import { CompiledFinder } from "../../../../src/preview/smart/log/compiled-finder.ts";
import { PlainFinder } from "../../../../src/preview/smart/log/plain-finder.ts";
import {
  FIND_BYTES,
  FLAG_SHIFT,
  POSITION_MASK,
  STATE_SHIFT,
  type WordFinder,
} from "../../../../src/preview/smart/log/word-finder.ts";

const automaton = createAutomaton([
  { text: "error", mask: 1 },
  { text: "\nerr ", mask: 2 },
  { text: "0:00", mask: 4 },
  { text: "r", mask: 8 },
  { text: "plain text plain text plain text", mask: 16 },
]);
const piece = fc.constantFrom(
  "error",
  "ERR ",
  "err ",
  "er",
  "r",
  "12:34",
  "\n",
  "\n\n",
  "é",
  "\u001b[0m",
  "plain text ",
);

describe.each(["compiled", "plain"] as const)("the %s finder", (kind) => {
  const create = (): WordFinder => (kind === "plain" ? new PlainFinder() : requireCompiled());

  test("tells words apart, and what else stood before each", () => {
    const finder = create();
    const bytes = new TextEncoder().encode("err é error\n\u001b 1:23\né");
    finder.find(bytes, 0, bytes.length, false, automaton);
    expect(finds(finder, automaton)).toEqual([
      [1, 8, 0],
      [2, 8, 0],
      [3, 2, 0],
      [8, 8, WIDE],
      [9, 8, 0],
      [11, 9, 0],
      [12, 0, 0],
      [18, 4, CONTROL],
      [19, 0, 0],
      ["end", WIDE],
    ]);
  });

  test("goes on in the middle of a word", () => {
    const finder = create();
    const bytes = new TextEncoder().encode("an error");
    finder.find(bytes, 5, bytes.length, true, automaton);
    expect(finds(finder, automaton)).toEqual([
      [0, 8, 0],
      [2, 9, 0],
      ["end", 0],
    ]);
  });

  test("takes another automaton at any time, of any size", () => {
    const finder = create();
    const words = Array.from({ length: 500 }, (_, index) => ({ text: `${"xyz".repeat(index % 9)}${index}!`, mask: 1 }));
    const large = createAutomaton(words);
    const bytes = new TextEncoder().encode("error 499!\n");
    for (let turn = 0; turn < 2; turn++) {
      finder.find(bytes, 0, bytes.length, false, automaton);
      expect(finds(finder, automaton)).toHaveLength(5);
      finder.find(bytes, 0, bytes.length, false, large);
      expect(finds(finder, large)).toEqual([
        [9, 1, 0],
        [10, 0, 0],
        ["end", 0],
      ]);
    }
  });
});

test("the compiled finder, which reads two places at once, finds what the plain one finds", () => {
  const compiled = requireCompiled();
  const plain = new PlainFinder();
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 120, size: "max" }), fc.nat(200), fc.boolean(), (pieces, skipped, cut) => {
      const bytes = new TextEncoder().encode(`${pieces.join("")}${cut ? "" : "\n"}`);
      const from = Math.min(skipped, bytes.length);
      const inLine = from > 0;
      compiled.find(bytes, from, bytes.length, inLine, automaton);
      plain.find(bytes, from, bytes.length, inLine, automaton);
      expect(finds(compiled, automaton)).toEqual(finds(plain, automaton));
    }),
    { numRuns: 1000 },
  );
});

test("every byte may be a find", () => {
  const compiled = requireCompiled();
  const bytes = new Uint8Array(FIND_BYTES).fill(114);
  compiled.find(bytes, 0, bytes.length, false, automaton);
  expect(compiled.count).toBe(FIND_BYTES);
  expect(finds(compiled, automaton)[FIND_BYTES - 1]).toEqual([FIND_BYTES - 1, 8, 0]);
});

function requireCompiled(): CompiledFinder {
  const finder = CompiledFinder.create();
  if (finder === undefined) throw new Error("WebAssembly did not take the module");
  return finder;
}

function finds({ count, finds }: WordFinder, { masks }: Automaton): unknown[] {
  const flagsOf = (find: number): number => (find >>> FLAG_SHIFT) & (CONTROL | WIDE);
  const found = Array.from(finds.subarray(0, count), (find) => [
    find & POSITION_MASK,
    masks[find >>> STATE_SHIFT],
    flagsOf(find),
  ]);
  return [...found, ["end", flagsOf(finds[count] as number)]];
}
