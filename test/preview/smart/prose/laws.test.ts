import { describe, it } from "vitest";
import { createItemAnalyzer } from "../../../../src/preview/smart/items/item-analyzer.ts";
import { ProseGrammar } from "../../../../src/preview/smart/prose/prose-grammar.ts";
import { checkLaws } from "../shape-laws.ts";

describe("prose laws", () => {
  it("hold for any bytes, room, question and chunking", () => {
    checkLaws(
      (options) => createItemAnalyzer(new ProseGrammar(), options),
      [
        "# The parser\n",
        "## Errors of unicode_input\n",
        "Part\n----\n",
        "```\n",
        "NAME\n",
        "\n",
        "The parser goes on in the next line and\n",
        "then it ends.\n",
        "- an item\n",
        "  3. Numbered part\n",
      ],
    );
  });
});
