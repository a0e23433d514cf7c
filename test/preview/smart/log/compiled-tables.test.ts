import fc from "fast-check";
import { expect, test } from "vitest";
import { type Automaton, createAutomaton } from "../../../../src/preview/smart/log/automaton.ts";
import { CompiledFinder } from "../../../../src/preview/smart/log/compiled-finder.ts";
import { PlainFinder } from "../../../../src/preview/smart/log/plain-finder.ts";
import { createWordAutomaton } from "../../../../src/preview/smart/log/rules/word-automaton.ts";

const plain = new PlainFinder();
// One for all, so that each automaton takes the place of another.
const compiled = CompiledFinder.create() as CompiledFinder;

function bytesOf({ buffer, byteOffset, byteLength }: Uint16Array | Int32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function expectSame(automaton: Automaton): void {
  const [states, expected] = [compiled.statesOf(automaton), plain.statesOf(automaton)];
  expect([states.accepting, states.lineStart]).toEqual([expected.accepting, expected.lineStart]);
  expect(bytesOf(states.kinds).equals(bytesOf(expected.kinds))).toBe(true);
  expect(bytesOf(states.fallbacks).equals(bytesOf(expected.fallbacks))).toBe(true);
  const [tables, filled] = [compiled.tablesOf(automaton), plain.tablesOf(automaton)];
  expect(bytesOf(tables.next).equals(bytesOf(filled.next))).toBe(true);
  expect(bytesOf(tables.masks).equals(bytesOf(filled.masks))).toBe(true);
}

test("the tables of all words are those that JavaScript fills", () => {
  const automaton = createWordAutomaton([]);
  expect(automaton.plan.children.length).toBeGreaterThan(10_000);
  expectSame(automaton);
  expectSame(createWordAutomaton(["timeout"], [{ text: "upstream", mask: 1, bank: 5 }]));
  expectSame(automaton);
});

test("so are those of any words", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "0", "\n", "é", " "), minLength: 1, maxLength: 6 });
  const mask = fc.integer({ min: 0, max: 2 ** 29 });
  const word = fc.record({ text, mask, bank: fc.constantFrom(0, 1, 4, 5, 7), stop: fc.boolean() });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), (words) => expectSame(createAutomaton(words))),
    { numRuns: 200 },
  );
});
