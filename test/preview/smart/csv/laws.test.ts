import { describe, it } from "vitest";
import { createCsvAnalyzer } from "../../../../src/preview/smart/csv/create-csv-analyzer.ts";
import { checkLaws } from "../shape-laws.ts";

describe("table laws", () => {
  it("hold for any bytes, room, question and chunking", () => {
    checkLaws(
      createCsvAnalyzer,
      ["id,name,price\n", "1,ab,2.5\n", '2,"a,b",99\n', "|---|---|\n", "error,failed,1\n", "a\tb\n", "5;6;7\n"],
      { lines: true },
    );
  });
});
