import { describe, expect, it } from "vitest";
import { preview } from "../../../../src/preview/index.ts";

const shown = (text: string): string => preview(text, { strategy: "smart", maxBytes: 4000 }).text;

describe("a run that passed", () => {
  it("ends as it ended, without a gap", () => {
    const results = Array.from({ length: 400 }, (_, n) => `PASSED tests/test_units.py::test_case_${n}`);
    const text = `${results.join("\n")}\n===== 400 passed in 1.69s =====\n`;
    expect(shown(text)).toContain(`${results.slice(-8).join("\n")}\n===== 400 passed`);
  });

  it("shows results of two lines whole", () => {
    const result = (n: number): string =>
      `test_part_${n} (auth.tests.BackendTest.test_part_${n})\nWhat part ${n} does is told here. ... ok\n`;
    const text = `${Array.from({ length: 200 }, (_, n) => result(n)).join("")}\nRan 200 tests in 1.2s\n\nOK\n`;
    expect(shown(text)).not.toContain("1 line omitted");
    expect(shown(text).match(/^test_part_\d+ .*\nWhat part \d+ does/gm)?.length ?? 0).toBeGreaterThan(20);
  });
});
