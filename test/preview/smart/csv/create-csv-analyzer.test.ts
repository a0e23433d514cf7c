import { describe, expect, it } from "vitest";
import { preview } from "../../../../src/preview/preview.ts";
import { createCsvAnalyzer } from "../../../../src/preview/smart/csv/create-csv-analyzer.ts";
import { expectLaws, roomOf } from "../shape-laws.ts";

const rows = Array.from({ length: 9000 }, (_, n) => {
  const price = n === 4321 ? 99_999 : n === 6000 ? -5 : 100 + (n % 50);
  return `${n},"Item, ${n}",${price},${n === 7654 ? "failed" : "ok"}`;
});
const csv = `id,name,price,state\n${rows.join("\n")}\n`;

describe("CSV", () => {
  it("keeps header, extremes, trouble, both ends and a sample of the whole range", () => {
    const { text } = expectLaws(createCsvAnalyzer, csv, roomOf(1500));
    expect(text).toMatch(
      /^\[table: 9,000 rows × 4 columns\]\n\[ranges: id 0 to 8999, price -5 to 99999\]\nid,name,price,state\n/,
    );
    for (const row of [0, 4321, 6000, 7654, 8999]) expect(text).toContain(`\n${rows[row]}\n`);
    const sampled = [...text.matchAll(/^(\d+),"Item/gm)].map(([, id]) => Number(id));
    for (const third of [0, 1, 2]) expect(sampled.some((id) => Math.floor(id / 3000) === third)).toBe(true);
  });

  it("finds the row the question names", () => {
    expect(expectLaws(createCsvAnalyzer, csv, roomOf(900), "what is the price of item 5150?").text).toContain(
      '5150,"Item, 5150"',
    );
  });

  it("reads drawn tables", () => {
    const drawn = ` id | name \n----+------\n${Array.from({ length: 300 }, (_, n) => `  ${n} | row ${n}\n`).join("")}`;
    const { text } = expectLaws(createCsvAnalyzer, drawn, roomOf(500));
    expect(text).toContain("[table: 300 rows × 2 columns]");
    expect(text).toContain(" id | name \n----+------\n");
  });

  it("takes for a number what is written as one and nothing else", () => {
    const cells = [
      ["-7.25", "1,5", "2024-01-02", "1e3", "5", "12%"],
      ["+3", "2,5", "2024-01-03", "2.5E-1", "-", "7%"],
      ["10.50 ", "3,5", "2024-01-04", "999999999999999999", "12.", "3%"],
    ];
    const table = `a;b;c;d;e;f\n${cells.map((row) => row.join(";")).join("\n")}\n${"0;x;2024-01-05;1;1;4%\n".repeat(200)}`;
    const { text } = expectLaws(createCsvAnalyzer, table, roomOf(400));
    expect(text.split("\n")[1]).toBe("[ranges: a -7.25 to 10.5, d 0.25 to 1000, e 1 to 5, f 3 to 12]");
  });
});

it("shows what stands below a table or goes on in a cell, since it is no row of it", () => {
  const rows = Array.from({ length: 900 }, (_, n) => `pear ${n}, tree ${n % 9}, ${n % 4} ripe, picked, ${n % 3} left`);
  rows[411] += "\nand the rest goes to the mill";
  const below = ["", "  ✓ weighed", "  ✗ basket 7 is sealed", "  ✓ washed", "", "  done at noon"];
  const { text } = preview([...rows, ...below].join("\n"), { strategy: "smart", maxChars: 900 });
  expect(text).toContain("✗ basket 7 is sealed");
  expect(text).toContain("and the rest goes to the mill");
});
