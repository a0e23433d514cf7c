import fc from "fast-check";
import { expect, test } from "vitest";
import { CONTROL, createAutomaton, WIDE } from "../../../../src/preview/smart/log/automaton.ts";
import { WordFinder } from "../../../../src/preview/smart/log/word-finder.ts";

const automaton = createAutomaton([
  { text: "error", mask: 1 },
  { text: "\nerr ", mask: 2 },
  { text: "0:00", mask: 4 },
  { text: "r", mask: 8 },
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

test("finds the same in both halves as in one go", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const bytes = new TextEncoder().encode(`${pieces.join("")}\n`);
      const halves = new WordFinder();
      halves.findInLines(bytes, 0, bytes.length, automaton);
      const whole = new WordFinder();
      whole.find(bytes, 0, bytes.length, automaton, automaton.lineStart);
      expect(finds(halves)).toEqual(finds(whole));
    }),
    { numRuns: 1000 },
  );
});

test("tells words apart, and what else stood before each", () => {
  const finder = new WordFinder();
  const bytes = new TextEncoder().encode("err é error\n\u001b 1:23\n");
  finder.findInLines(bytes, 0, bytes.length, automaton);
  const found = finds(finder).map(({ at, mask, flags }) => [at, mask, flags & (CONTROL | WIDE)]);
  expect(found).toEqual([
    [1, 8, 0],
    [2, 8, 0],
    [3, 2, 0],
    [8, 8, WIDE],
    [9, 8, 0],
    [11, 9, 0],
    [12, 0, 0],
    [18, 4, CONTROL],
    [19, 0, 0],
  ]);
});

function finds({ count, positions, states, flags }: WordFinder) {
  return Array.from({ length: count }, (_, index) => ({
    at: positions[index] as number,
    state: states[index] as number,
    mask: automaton.masks[states[index] as number] as number,
    flags: flags[index] as number,
  }));
}
