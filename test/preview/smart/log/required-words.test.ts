import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CompiledFinder } from "../../../../src/preview/smart/log/compiled-finder.ts";
import { PlainFinder } from "../../../../src/preview/smart/log/plain-finder.ts";
import { RULE_BANKS } from "../../../../src/preview/smart/log/row-finder.ts";
import { requiredWords } from "../../../../src/preview/smart/log/rules/required-words.ts";
import { RuleFilter, rulesWithoutWords } from "../../../../src/preview/smart/log/rules/rule-filter.ts";
import { RULES } from "../../../../src/preview/smart/log/rules/rules.ts";
import { createWordAutomaton } from "../../../../src/preview/smart/log/rules/word-automaton.ts";
import { sharedFinder } from "../../../../src/preview/smart/log/shared-finder.ts";

describe("requiredWords", () => {
  test.each([
    [/\bundefined reference to\b/, ["undefined reference to"]],
    [/^CMake Error\b|treated as errors?/i, ["cmake error", "treated as errors", "treated as error"]],
    [/: line \d+: (?!x).{0,9}end/, [": line 0"]],
    [/(?<![\w-])[Ff]ailed (?:to|on)\b/, ["failed to", "failed on"]],
    [/(?:fatal )?error\s+\d{2,}/, ["fatal error", "error"]],
    [/\S+ (?:one|\d)/, undefined],
    [/[^a]\w{0,3}|always/, undefined],
    [/^\s*● \S/, undefined],
  ])("%s", (pattern, words) => {
    expect(requiredWords(pattern)).toEqual(words);
  });

  test("an automaton has room for a bit of each rule", () => {
    expect(RULES.length).toBeLessThanOrEqual(32 * RULE_BANKS);
  });

  test("most rules have some", () => {
    const without = RULES.filter(({ pattern }) => requiredWords(pattern) === undefined);
    expect(without.length / RULES.length).toBeLessThan(0.2);
  });
});

describe("RuleFilter", () => {
  const filter = new RuleFilter(createWordAutomaton([]), sharedFinder(), rulesWithoutWords(RULES));
  const allowed = (text: string): ((index: number) => boolean) => {
    const { numbers, at } = filter.read(text);
    const bits = filter.always.map((always, bank) => always | (numbers[at + bank] as number));
    return (index) => (((bits[index >> 5] as number) >> index) & 1) === 1;
  };
  const samples = RULES.flatMap(({ pattern }) => requiredWords(pattern) ?? []);
  const part = fc.oneof(
    fc.constantFrom(...samples),
    fc.constantFrom(...samples).map((word) => word.toUpperCase()),
    fc.constantFrom("Error", "FAILED", "1 failed", "src/a.ts:12:3", "[ERROR]", " ", ": ", "(7)", "● ", "0", "x"),
  );

  test("never holds back a rule that matches", () => {
    let matches = 0;
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), fc.constantFrom("", " ", ": "), (parts, between) => {
        const text = parts.join(between);
        const allows = allowed(text);
        RULES.forEach(({ pattern }, index) => {
          if (!pattern.test(text)) return;
          matches++;
          expect(allows(index), `${pattern} on ${JSON.stringify(text)}`).toBe(true);
        });
      }),
      { numRuns: 2000 },
    );
    expect(matches).toBeGreaterThan(2000);
  });

  test("holds back nearly all rules for a text without words", () => {
    const allows = allowed("Resolving packages, step by step");
    expect(RULES.filter((_, index) => allows(index)).length / RULES.length).toBeLessThan(0.2);
  });

  test.each([() => CompiledFinder.create() as CompiledFinder, () => new PlainFinder()])(
    "finds the same while a question's words are looked for",
    (create) => {
      const finder = create();
      const read = (text: string): readonly number[] => [
        ...new RuleFilter(createWordAutomaton([]), finder, []).read(text).numbers,
      ];
      const texts = ["src/a.ts:12:3: error: no such thing", "FAILED tests/timeout.py::test_upstream", "nothing"];
      const alone = texts.map(read);
      const asked = createWordAutomaton(["timeout"], [{ text: "upstream", mask: 1, bank: 1 + RULE_BANKS }]);
      finder.find(new TextEncoder().encode("a timeout\n"), 0, 10, false, true, asked);
      expect(texts.map(read)).toEqual(alone);
      expect(alone[0]).not.toEqual(alone[2]);
      expect(finder.statesOf(asked).accepting).toBe(finder.tablesOf(createWordAutomaton([])).accepting);
    },
  );
});
