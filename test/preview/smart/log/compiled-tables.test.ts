import fc from "fast-check";
import { expect, test } from "vitest";
import { type AutomatonPlan, fillTables, planAutomaton } from "../../../../src/preview/smart/log/automaton.ts";
import { fillCompiledTables } from "../../../../src/preview/smart/log/compiled-tables.ts";
import { planWords } from "../../../../src/preview/smart/log/rules/word-automaton.ts";

function bytesOf({ buffer, byteOffset, byteLength }: Uint16Array | Uint32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** The same tables, and those of WebAssembly in a memory of their own. */
function expectSame(plan: AutomatonPlan, banks: number): void {
  const compiled = fillCompiledTables(plan, banks);
  expect(compiled.next.buffer.byteLength % 65_536).toBe(0);
  const { next, masks, accepting } = fillTables(plan, banks);
  expect(compiled.accepting).toBe(accepting);
  expect(Buffer.compare(bytesOf(compiled.next), bytesOf(next))).toBe(0);
  expect(Buffer.compare(bytesOf(compiled.masks), bytesOf(masks))).toBe(0);
}

test("the tables of all words are those that JavaScript fills", () => {
  const plan = planWords();
  const banks = plan.masks.length / plan.children.length;
  expect(banks).toBeGreaterThan(1);
  expectSame(plan, banks);
});

test("so are those of any words", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "0", "\n", "é", " "), minLength: 1, maxLength: 6 });
  const word = fc.record({ text, mask: fc.integer(), bank: fc.constantFrom(0, 1, 2), stop: fc.boolean() });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), (words) => expectSame(planAutomaton(words, 3), 3)),
    { numRuns: 60 },
  );
});
