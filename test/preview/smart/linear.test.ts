import { describe, expect, it } from "vitest";
import { Counter } from "../../../src/preview/measure.ts";
import { createLogAnalyzer } from "../../../src/preview/smart/log/create-log-analyzer.ts";
import { estimateTokens } from "../../../src/preview/tokens/estimate-tokens.ts";

const room = { lines: 2000, bytes: 8000, chars: 8000, tokens: Infinity, countTokens: estimateTokens };

/** Bytes looked at, decoded ones counted again. */
function workOf(text: string): number {
  const bytes = new TextEncoder().encode(text);
  const counter = new Counter();
  counter.write(bytes);
  const analyzer = createLogAnalyzer({ room, query: "why does it fail in the parser?" });
  analyzer.write(bytes);
  expect(analyzer.finish(room, counter.end()).text.length).toBeLessThanOrEqual(8000);
  return analyzer.work;
}

const INPUTS: Readonly<Record<string, (size: number) => string>> = {
  "one long line": (size) => "error: x ".repeat(size / 9),
  "lines of one character": (size) => "e\n".repeat(size / 2),
  "one character": (size) => "=".repeat(size),
  "deep nesting": (size) => '{"error":['.repeat(size / 10),
  "colour codes": (size) => "\u001b[31mE".repeat(size / 6),
  "regex bait": (size) => `${"a.b/c:1:".repeat(40)}error ${" ".repeat(60)}\n`.repeat(size / 387),
  "errors only": (size) => "src/x.c:1:2: error: y\n".repeat(size / 22),
  "distinct errors": (size) =>
    Array.from({ length: size / 40 }, (_, index) => `${index.toString(36)} failed: parser ${index * 7919}`).join("\n"),
};

describe("the work of the log analyzer grows with the input, no faster", () => {
  for (const [name, make] of Object.entries(INPUTS)) {
    it(name, () => {
      const small = workOf(make(400_000));
      const large = workOf(make(1_600_000));
      expect(large / small).toBeLessThan(4.8);
      expect(large).toBeLessThan(1_600_000 * 12);
    });
  }
});
