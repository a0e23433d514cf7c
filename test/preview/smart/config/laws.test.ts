import { describe, it } from "vitest";
import { ConfigGrammar } from "../../../../src/preview/smart/config/config-grammar.ts";
import { createItemAnalyzer } from "../../../../src/preview/smart/items/create-item-analyzer.ts";
import { checkLaws } from "../shape-laws.ts";

describe("settings laws", () => {
  it("hold for any bytes, room, question and chunking", () => {
    checkLaws(
      (options) => createItemAnalyzer(new ConfigGrammar(), options),
      [
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
      ],
    );
  });
});
