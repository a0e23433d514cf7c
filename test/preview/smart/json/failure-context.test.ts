import { describe, expect, it } from "vitest";
import { createJsonAnalyzer } from "../../../../src/preview/smart/json/create-json-analyzer.ts";
import { expectLaws, roomOf, select } from "../shape-laws.ts";

const lines = (records: readonly unknown[], newline = "\n"): string =>
  records.map((record) => JSON.stringify(record)).join(newline) + newline;
const preview = (text: string, chars: number, query = ""): string =>
  select(createJsonAnalyzer, text, roomOf(chars), query).text;
const many = <T>(count: number, make: (n: number) => readonly T[]): T[] =>
  Array.from({ length: count }, (_, n) => make(n)).flat();

/** A run of tests that each print; the last line of `bad` says why it fails, in words that say nothing of trouble. */
function testRun(tests: number, bad: number, printed: readonly string[]): unknown[] {
  return many(tests, (n) => {
    const named = { Package: "shop/cart", Test: `TestBasket${n}` };
    const said = n === bad ? printed : [`    cart_test.go:9: basket ${n} holds ${n % 7} pears\n`];
    return [
      { Action: "run", ...named },
      { Action: "output", ...named, Output: `=== RUN   TestBasket${n}\n` },
      ...said.map((Output) => ({ Action: "output", ...named, Output })),
      { Action: n === bad ? "fail" : "pass", ...named },
    ];
  });
}

describe("the records of JSON lines before a failure", () => {
  it("are shown when they share its rarest name, such as what a failed test printed", () => {
    const printed = ["    cart_test.go:31: sealed at noon\n", "    cart_test.go:40: got 3 pears, want 4\n"];
    const text = preview(lines(testRun(700, 523, printed)), 3000);
    expect(text).toContain("cart_test.go:31: sealed at noon");
    expect(text).toContain("got 3 pears, want 4");
    expect(text).not.toContain("=== RUN   TestBasket523");
  });

  it("are found among those of other requests", () => {
    const noise = (n: number): unknown => ({ level: 30, request: `r-${n}`, path: `/pears/${n}`, msg: "served" });
    const records = many(9000, (n) => [noise(n)]);
    records[4785] = { level: 30, request: "r-of-interest", msg: "reads from a copy that is 900 s old" };
    records[4800] = { level: 50, request: "r-of-interest", msg: "no such pear" };
    const text = preview(lines(records), 3000);
    for (const shown of ["reads from a copy that is 900 s old", "no such pear"]) expect(text).toContain(shown);
  });

  it("are none when many all over say the same, or at the same time", () => {
    const records = many(900, (n) => [
      { time: `2026-05-01 10:${String((n / 15) | 0).padStart(2, "0")}`, area: `area ${n % 8}`, note: `pear ${n} sold` },
    ]);
    const failed = { time: "2026-05-01 10:30", area: "area 7", status: "failed" };
    records[460] = failed as never;
    const text = preview(lines(records), 1500);
    expect(text).toContain('"failed"');
    expect((text.match(/area 7"/g) ?? []).length).toBeLessThan(4);
    expect((text.match(/10:30/g) ?? []).length).toBeLessThan(4);
  });

  it("keep the laws, whatever the characters, line ends and chunks", () => {
    const printed = ["    Körbe_test.go:31: 梨 🍐 versiegelt\n", "    got 3 🍐, want 4\n"];
    for (const newline of ["\n", "\r\n", "\n\n"]) {
      const text = lines(testRun(1500, 823, printed), newline);
      const whole = expectLaws(createJsonAnalyzer, text, roomOf(3000));
      expect(whole.text).toContain("got 3 🍐, want 4");
      for (const step of [997, 131_073]) {
        expect(select(createJsonAnalyzer, text, roomOf(3000), "", step)).toEqual(whole);
      }
    }
  });
});
