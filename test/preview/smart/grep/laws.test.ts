import { describe, it } from "vitest";
import { createGrepAnalyzer } from "../../../../src/preview/smart/grep/create-grep-analyzer.ts";
import { checkLaws } from "../shape-laws.ts";

describe("grep laws", () => {
  it("hold for any bytes, room, question and chunking", () => {
    checkLaws(
      createGrepAnalyzer,
      [
        "src/a.ts:12:",
        "src/b.py-3-",
        "def parser():\n",
        "class X\n",
        "tests/t.ts:9:error\n",
        "--\n",
        "C:\\\\x\\\\y.cs:4:",
        "src/head.rs\n",
        "7:let x\n",
      ],
      { tailOf: (line) => line.replace(/^(?:[A-Za-z]:)?[^:]+?[:-](?=\d+[:-])/, "") },
    );
  });
});
