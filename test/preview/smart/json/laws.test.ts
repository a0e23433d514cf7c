import { describe, it } from "vitest";
import { createJsonAnalyzer } from "../../../../src/preview/smart/json/create-json-analyzer.ts";
import { checkLaws } from "../shape-laws.ts";

describe("JSON laws", () => {
  it("hold for any bytes, room, question and chunking", () => {
    checkLaws(createJsonAnalyzer, [
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"key"',
      '"severity":"high"',
      "12.5",
      "true",
      "null",
      '"é😀\\\\"x"',
      '{"error":"boom"}\n',
      "[1,2,3]",
    ]);
  });
});
