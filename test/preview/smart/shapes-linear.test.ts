import { describe, expect, it } from "vitest";
import type { Shape } from "../../../src/preview/smart/detect-shape.ts";
import { createShapeAnalyzer } from "../../../src/preview/smart/shapes.ts";
import { endOf, roomOf } from "./shape-laws.ts";

/** Bytes read and candidates weighed. */
function workOf(shape: Shape, text: string): number {
  const bytes = new TextEncoder().encode(text);
  const room = roomOf(4000);
  const analyzer = createShapeAnalyzer(shape, { room, query: "why does the parser fail?" });
  for (let at = 0; at < bytes.length; at += 65_536) analyzer?.write(bytes.subarray(at, at + 65_536));
  expect(analyzer?.finish(room, endOf(bytes)).text.length).toBeLessThanOrEqual(4000);
  return analyzer?.work ?? Number.NaN;
}

const numbered = (size: number, line: (index: number) => string): string =>
  Array.from({ length: Math.floor(size / 40) }, (_, index) => line(index)).join("\n");

const INPUTS: readonly (readonly [Shape, string, (size: number) => string])[] = [
  ["diff", "one hunk", (size) => `--- a/x\n+++ b/x\n@@ -1 +1,${size} @@\n${"+x = 1;\n".repeat(size / 8)}`],
  ["diff", "one long line", (size) => `--- a/x\n+++ b/x\n@@ -1 +1 @@\n+${"parser ".repeat(size / 7)}`],
  ["grep", "distinct files", (size) => numbered(size, (index) => `src/f${index}.ts:${index}: parser.fail(${index})`)],
  ["grep", "regex bait", (size) => `${"a-1".repeat(200)}\n`.repeat(size / 601)],
  ["listing", "distinct folders", (size) => numbered(size, (index) => `src/part${index}/parser/file${index}.ts`)],
  ["listing", "lines of one character", (size) => "e\n".repeat(size / 2)],
  ["code", "many functions", (size) => numbered(size, (index) => `def part${index}(parser):\n    fail(${index})`)],
  ["code", "one long function", (size) => `int parse(void) {\n${"    parser.fail(1);\n".repeat(size / 20)}}\n`],
  ["code", "a comment that never ends", (size) => `/*\n${" * the parser\n".repeat(size / 14)}`],
  ["code", "a parenthesis that never closes", (size) => "int parse(\n".repeat(size / 11)],
  ["json", "deep nesting", (size) => '{"error":['.repeat(size / 10)],
  ["json", "one long string", (size) => `["${"x".repeat(size)}"]`],
  ["json", "ever graver items", (size) => `[${numbered(size, (index) => `{"id":${index},"parser":"failed"},`)}0]`],
  ["html", "open tags", (size) => "<div><p>parser ".repeat(size / 15)],
  ["html", "a lone bracket", (size) => "< ".repeat(size / 2)],
  [
    "csv",
    "ever larger numbers",
    (size) => `id,name,value\n${numbered(size, (index) => `${index},failed,${index * 3}`)}`,
  ],
  ["history", "one commit without end", (size) => `commit ${"0123".repeat(10)}\n${"    parser\n".repeat(size / 11)}`],
  ["history", "commits", (size) => numbered(size, (index) => `${String(index).padStart(8, "a0")} fix the parser`)],
  ["history", "graph bait", (size) => `${"| ".repeat(300)}\n`.repeat(size / 601)],
  ["prose", "headings", (size) => numbered(size, (index) => `## parser ${index}\n\ntext`)],
  ["prose", "one paragraph", (size) => "the parser goes on\n".repeat(size / 19)],
  ["prose", "rules", (size) => "====\n".repeat(size / 5)],
  ["outline", "ever deeper keys", (size) => numbered(size, (index) => `${" ".repeat(index % 60)}parser${index}:`)],
  ["outline", "regex bait", (size) => `${"a ".repeat(150)}\n`.repeat(size / 301)],
  ["outline", "one record", (size) => numbered(size, (index) => `Key-${index}: parser`)],
  ["outline", "records", (size) => numbered(size, (index) => `Package: parser${index}\nVersion: 1\n`)],
  ["plan", "resources", (size) => numbered(size, (index) => `  # parser.web_${index} will be created\n      + a = 1`)],
  ["outline", "one object", (size) => `Name:  web\n${numbered(size, (index) => `  Key ${index}: parser`)}`],
  ["csv", "one quote", (size) => `a,b,c\n"${"x,".repeat(size / 2)}`],
];

describe("the work of each shape grows with the input, no faster", () => {
  for (const [shape, name, make] of INPUTS) {
    it(`${shape}: ${name}`, () => {
      const small = workOf(shape, make(150_000));
      const large = workOf(shape, make(600_000));
      expect(large / small).toBeLessThan(4.8);
      expect(large).toBeLessThan(600_000 * 4);
    });
  }
});
