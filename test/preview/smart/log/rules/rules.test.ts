import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RULES } from "../../../../../src/preview/smart/log/rules/rules.ts";
import { RULE_BANKS } from "../../../../../src/preview/smart/log/word-automaton.ts";

test("an automaton has room for a bit of each rule", () => {
  expect(RULES.length).toBeLessThanOrEqual(32 * RULE_BANKS);
});

describe("one of the required words stands in whatever a rule matches", () => {
  test.each(RULES.filter(({ words }) => words !== "").map(({ pattern, words }) => [pattern, words] as const))(
    "%s",
    (pattern, words) => {
      // What lies around a match is no part of it; the generator knows no conditions.
      const source = pattern.source
        .replace(/\(\?<?[=!](?:[^()[\]\\]|\\.|\[(?:[^\]\\]|\\.)*\]|\([^()]*\))*\)/g, "")
        .replace(/\\b/g, "");
      let matches = 0;
      fc.assert(
        fc.property(fc.stringMatching(new RegExp(source)), fc.boolean(), (text, upper) => {
          const row = upper && pattern.ignoreCase ? text.toUpperCase() : text;
          if (!pattern.test(row)) return;
          matches++;
          const plain = row.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/\d/g, "0");
          expect(
            words.split("|").some((word) => plain.includes(word)),
            JSON.stringify(row),
          ).toBe(true);
        }),
        { numRuns: 100 },
      );
      expect(matches).toBeGreaterThan(5);
    },
  );
});
