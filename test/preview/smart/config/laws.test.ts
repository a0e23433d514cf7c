import { describe, it } from "vitest";
import { createConfigAnalyzer } from "../../../../src/preview/smart/config/create-config-analyzer.ts";
import { checkLaws } from "../shape-laws.ts";

describe("settings laws", () => {
  it("hold for any bytes, room, question and chunking", () => {
    checkLaws(createConfigAnalyzer, [
      "[[package]]\n",
      "[parser]\n",
      'name = "x"\n',
      "parser:\n",
      "  unicode_input: |\n",
      "    - item\n",
      "---\n",
      "# note\n",
      'resource "a" {\n',
      "}\n",
      "\n",
    ]);
  });
});
