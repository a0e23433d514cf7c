import { describe, it } from "vitest";
import { HistoryGrammar } from "../../../../src/preview/smart/history/history-grammar.ts";
import { createItemAnalyzer } from "../../../../src/preview/smart/items/item-analyzer.ts";
import { checkLaws } from "../shape-laws.ts";

describe("history laws", () => {
  it("hold for any bytes, room, question and chunking", () => {
    checkLaws(
      (options) => createItemAnalyzer(new HistoryGrammar(), options),
      [
        "commit 0123456789abcdef0123456789abcdef01234567\n",
        "Author: A <a@b.c>\n",
        "Date:   Mon Nov 16 16:06:07 2026 +0000\n",
        "\n    Fix the parser for unicode_input\n",
        " a.c | 2 +-\n",
        " 1 file changed, 1 insertion(+)\n",
        "0123abc Why does it fail\n",
        "r12 | ada | 2026-01-01 10:00:00 | 1 line\n",
      ],
    );
  });
});
