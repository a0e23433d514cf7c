import { describe, expect, it } from "vitest";
import type { Analyzer, AnalyzerOptions } from "../../../src/preview/smart/analyzer.ts";
import { createCsvAnalyzer } from "../../../src/preview/smart/csv/create-csv-analyzer.ts";
import { createDiffAnalyzer } from "../../../src/preview/smart/diff/create-diff-analyzer.ts";
import { createGrepAnalyzer } from "../../../src/preview/smart/grep/create-grep-analyzer.ts";
import { createHtmlAnalyzer } from "../../../src/preview/smart/html/create-html-analyzer.ts";
import { createJsonAnalyzer } from "../../../src/preview/smart/json/create-json-analyzer.ts";
import { createListingAnalyzer } from "../../../src/preview/smart/listing/create-listing-analyzer.ts";
import { endOf, roomOf } from "./shape-laws.ts";

const CREATORS: Record<string, (options: AnalyzerOptions) => Analyzer> = {
  diff: createDiffAnalyzer,
  grep: createGrepAnalyzer,
  listing: createListingAnalyzer,
  json: createJsonAnalyzer,
  html: createHtmlAnalyzer,
  csv: createCsvAnalyzer,
};

const HOSTILE: Record<string, (size: number) => string> = {
  "one long line": (size) => "a".repeat(size),
  "lines of one character": (size) => "b\n".repeat(size / 2),
  "brackets without end": (size) => "[".repeat(size),
  "objects without end": (size) => '{"a":'.repeat(size / 5),
  "tags without end": (size) => "<div>".repeat(size / 5),
  "attributes without end": (size) => `<p ${'x="'.repeat(size / 3)}`,
  "quotes and backslashes": (size) => `"${'\\"'.repeat(size / 2)}`,
  "one added line after another": (size) => `--- a/x\n+++ b/x\n@@ -0,0 +1,9999999 @@\n${"+x = 1;\n".repeat(size / 8)}`,
  "hits in ever new files": (size) => Array.from({ length: size / 16 }, (_, n) => `src/f${n}.ts:1:x`).join("\n"),
  "many small items": (size) => `[${'{"id":1,"level":"error"},'.repeat(size / 25)}`,
  "rows of numbers": (size) => `a,b\n${"1,2\n".repeat(size / 4)}`,
  "blanks before colons": (size) => `${" ".repeat(size)}:12:x`,
};

function workOf(create: (options: AnalyzerOptions) => Analyzer, text: string): { work: number; chars: number } {
  const room = roomOf(8000);
  const bytes = new TextEncoder().encode(text);
  const analyzer = create({ room, query: "why is x = 1 in level error?" });
  for (let at = 0; at < bytes.length; at += 65_536) analyzer.write(bytes.subarray(at, at + 65_536));
  const { text: shown } = analyzer.finish(room, endOf(bytes));
  return { work: analyzer.work ?? Number.NaN, chars: shown.length };
}

describe("no input is superlinear", () => {
  for (const [shape, create] of Object.entries(CREATORS)) {
    it(`${shape}: four times the input is at most about four times the work`, () => {
      for (const [name, make] of Object.entries(HOSTILE)) {
        const once = workOf(create, make(100_000));
        const four = workOf(create, make(400_000));
        expect(four.work / once.work, name).toBeLessThan(4.6);
        expect(four.chars, name).toBeLessThanOrEqual(8000);
      }
    });
  }

  it("reads a million nested arrays in bounded memory", () => {
    const { chars } = workOf(createJsonAnalyzer, `${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}`);
    expect(chars).toBeGreaterThan(40);
    expect(chars).toBeLessThanOrEqual(8000);
  });
});
