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

  it("hold for columns that stand under each other", () => {
    const rows = ["db-0     1/1   Running  3d\n", "web-12   0/1   Error    9h\n", "queue-7  1/1   Running  \n"];
    checkLaws(
      createCsvAnalyzer,
      [`NAME     READY STATUS   AGE\n${rows.join("").repeat(4)}`, ...rows, "\n", "é 错误\n"],
      {
        lines: true,
      },
    );
  });
});
