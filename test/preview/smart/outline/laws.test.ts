import { describe, it } from "vitest";
import { createItemAnalyzer } from "../../../../src/preview/smart/items/item-analyzer.ts";
import { OutlineGrammar } from "../../../../src/preview/smart/outline/outline-grammar.ts";
import { checkLaws } from "../shape-laws.ts";

describe("outline laws", () => {
  it("hold for any bytes, room, question and chunking", () => {
    checkLaws(
      (options) => createItemAnalyzer(new OutlineGrammar(), options),
      [
        '<?xml version="1.0"?>\n',
        "<parser>\n",
        "  <unicode>input</unicode>\n",
        "</parser>\n",
        "<!-- note\n",
        "-->\n",
        "#### PARSER ####\n",
        "# note\n",
        "port 80\n",
        ".input {\n",
        "\tcolor: red;\n",
        "}\n",
        "\n",
      ],
    );
  });
});
