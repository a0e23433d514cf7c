import { describe, it } from "vitest";
import { createDiffAnalyzer } from "../../../../src/preview/smart/diff/create-diff-analyzer.ts";
import { checkLaws } from "../shape-laws.ts";

describe("diff laws", () => {
  it("hold for any bytes, room, question and chunking", () => {
    checkLaws(
      createDiffAnalyzer,
      [
        "diff --git a/x.ts b/x.ts\n",
        "--- a/x.ts\n",
        "+++ b/x.ts\n",
        "@@ -1,3 +1,4 @@ fn\n",
        "+added error\n",
        "-removed\n",
        " context\n",
        "commit 0123456789abcdef\n",
        "\n",
      ],
      { lines: true },
    );
  });
});
