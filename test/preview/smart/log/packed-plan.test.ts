import { expect, test } from "vitest";
import type { Automaton } from "../../../../src/preview/smart/log/automaton.ts";
import { planAutomaton, STATE_NUMBERS } from "../../../../src/preview/smart/log/automaton-plan.ts";
import { packBytes, packPlan, unpackBytes, unpackPlan } from "../../../../src/preview/smart/log/packed-plan.ts";
import { PlainFinder } from "../../../../src/preview/smart/log/plain-finder.ts";
import { assembleFinder } from "../../../../src/preview/smart/log/prebuilt-finder.ts";
import { POSITION_MASK, ROW_FINDS, ROW_NUMBERS, STATE_SHIFT } from "../../../../src/preview/smart/log/row-finder.ts";
import { planWords } from "../../../../src/preview/smart/log/rules/prebuilt-words.ts";
import { builtPackage } from "../../../support/build.ts";

test("the words come back as they were packed", () => {
  const plan = planWords();
  const packed = packPlan(plan);
  expect([packed.classes, packed.symbols, ...packed.children, ...packed.kinds].join("")).toMatch(/^[\0-\x7f]*$/);
  expect(Math.max(...plan.kinds)).toBeGreaterThan(127);
  expect(unpackPlan(packed)).toEqual(plan);
});

test("words that hide others come back too, and bytes", () => {
  const plan = planAutomaton([
    { text: ":00:", mask: 1 },
    { text: "0:00:", mask: 0, stop: true },
  ]);
  expect(unpackPlan(packPlan(plan))).toEqual(plan);
  const bytes = assembleFinder();
  expect(unpackBytes(packBytes(bytes))).toEqual(bytes);
});

test("the package previews as its source does, with plans that the build made", async () => {
  const { dist } = await builtPackage();
  const built = (await import(`${dist}/preview.mjs`)) as typeof import("../../../../src/preview/index.ts");
  const source = await import("../../../../src/preview/index.ts");
  const rows = Array.from({ length: 4000 }, (_, row) => {
    if (row % 397 === 0) return `src/part${row}.c:${row}:7: error: unknown type name 'part_${row}'`;
    if (row % 613 === 0) return `警告：第 ${row} 部分 · Fehler: Datei ${row} nicht gefunden`;
    return row % 50 === 0 ? `test part ${row} ... FAILED` : `compiled part ${row} of 4000 in ${row % 7} ms`;
  }).join("\n");
  for (const query of [undefined, "which file was not found"]) {
    const options = { strategy: "smart", maxBytes: 6000, query } as const;
    expect(built.preview(rows, options)).toEqual(source.preview(rows, options));
  }
});

test("words that are added to a plan are found like those it had", () => {
  const had = [
    { text: "error", mask: 1 },
    { text: "\nfail", mask: 2 },
    { text: "错误", mask: 4 },
  ];
  const added = [
    { text: "err", mask: 8 },
    { text: "timeout 00", mask: 16 },
    { text: "误报", mask: 32 },
  ];
  const bytes = new TextEncoder().encode("an ERROR\nfailed: timeout 42 错误 误报 error\n");
  const findsOf = (automaton: Automaton): string[] => {
    const finder = new PlainFinder();
    finder.find(bytes, 0, bytes.length, false, true, automaton);
    const count = finder.rows[(finder.count - 1) * ROW_NUMBERS + ROW_FINDS];
    const { masks } = finder.tablesOf(automaton);
    return [...finder.finds.subarray(0, count)].map(
      (find) => `${find & POSITION_MASK}: ${masks[(find >>> STATE_SHIFT) * STATE_NUMBERS]}`,
    );
  };
  const together = findsOf({ plan: planAutomaton([...had, ...added]) });
  expect(findsOf({ plan: planAutomaton(added, planAutomaton(had)) })).toEqual(together);
  expect(together).toHaveLength(10);
});
