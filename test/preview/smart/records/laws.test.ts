import { describe, it } from "vitest";
import { createItemAnalyzer } from "../../../../src/preview/smart/items/create-item-analyzer.ts";
import { RecordsGrammar } from "../../../../src/preview/smart/records/records-grammar.ts";
import { checkLaws } from "../shape-laws.ts";

describe("records laws", () => {
  it("hold for any bytes, room, question and chunking", () => {
    checkLaws(
      (options) => createItemAnalyzer(new RecordsGrammar(), options),
      ["Package: parser\n", "Version: 1\n", "Description: why it fails\n", " more of it\n", "\n", "Status: é\n"],
    );
  });
});
