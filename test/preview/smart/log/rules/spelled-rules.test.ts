import { expect, test } from "vitest";
import { RULES } from "../../../../../src/preview/smart/log/rules/rules.ts";
import { readRules, spellRules } from "../../../../../src/preview/smart/log/rules/spelled-rules.ts";

const LINES = [
  "src/a.c:3:1: error: unknown type name 'part'",
  "[ERROR] /src/main/App.java:[12,8] cannot find symbol",
  "  12:7  warning  'a' is never used  no-unused-vars",
  'Exception in thread "main" java.lang.NullPointerException: x',
  "--- FAIL: TestParse (0.01s)",
  "\tError Trace:\t/app/a_test.go:12",
  "kernel: Out of memory: Killed process 812",
  "make: *** [all] Error 2",
  "E   AssertionError: assert 1 == 2",
  "WARN could not resolve host",
  "nothing is told here",
];

test("rules come back from one text as they were", () => {
  const read = readRules(spellRules(RULES));
  expect(read).toHaveLength(RULES.length);
  const found = new Set<number>();
  RULES.forEach(({ score, reason, following, before, needs, pattern }, index) => {
    const rule = read[index];
    expect(rule).toMatchObject({ score, reason, following, before, needs });
    for (const line of LINES) {
      expect(rule?.matches(line)).toBe(pattern.test(line));
      if (pattern.test(line)) found.add(index);
    }
  });
  expect(found.size).toBeGreaterThan(8);
});
