import fc from "fast-check";
import { expect, test } from "vitest";
import { firstCharacters } from "../../../../../src/preview/smart/log/rules/first-characters.ts";
import { requiredWords } from "../../../../../src/preview/smart/log/rules/required-words.ts";
import { RULES } from "../../../../../src/preview/smart/log/rules/rules.ts";
import { readRules, spellRules } from "../../../../../src/preview/smart/log/rules/spelled-rules.ts";

test.each([
  [/^! \S/, "!"],
  [/^(?:a|bc)?[d-f]/, "abdef"],
  [/^\[?(?:error)/i, "[eE"],
  [/^(?!x)\bword/, "w"],
  [/^a|^b/, "ab"],
  [/^\d{0,3}#/, "0123456789#"],
  [/^[✗x] /, "x"],
])("%s begins with one of %j", (pattern, expected) => {
  expect([...(firstCharacters(pattern) ?? [])].join("")).toBe(expected);
});

test.each([/a/, /^a|b/, /(?:^|\s)a/, /^a*$/, /^$/])("%s may begin with anything", (pattern) => {
  expect(firstCharacters(pattern)).toBeUndefined();
});

test("no rule matches a text that begins otherwise", () => {
  const rules = readRules(spellRules(RULES));
  const samples = RULES.flatMap(({ pattern }) => requiredWords(pattern) ?? []).map((word) => word.replace(/0/g, "7"));
  const part = fc.oneof(
    fc.constantFrom(...samples),
    fc.constantFrom(...samples).map((word) => word.toUpperCase()),
    fc.constantFrom(...samples).map((word) => word.charAt(0).toUpperCase() + word.slice(1)),
    fc.constantFrom(
      "  ",
      "\t",
      "src/a.ts:12:3",
      "[ERROR] ",
      ": ",
      "(7) ",
      "● ",
      "✗ ",
      "3) ",
      "# ",
      "--- ",
      "E   ",
      "x ",
    ),
  );
  const matched = new Set<number>();
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
      const text = parts.join("");
      const unit = text.charCodeAt(0);
      RULES.forEach(({ pattern }, index) => {
        if (unit >= 128 || !pattern.test(text)) return;
        expect(rules[index]?.mayBegin(unit)).toBe(true);
        if (firstCharacters(pattern) !== undefined) matched.add(index);
      });
    }),
    { numRuns: 3000 },
  );
  expect(matched.size).toBeGreaterThan(20);
});
