import { describe, it } from "vitest";
import { createRecordsAnalyzer } from "../../../../src/preview/smart/records/create-records-analyzer.ts";
import { checkLaws } from "../shape-laws.ts";

describe("records laws", () => {
  it("hold for any bytes, room, question and chunking", () => {
    checkLaws(createRecordsAnalyzer, [
      "Package: parser\n",
      "Version: 1\n",
      "Description: why it fails\n",
      " more of it\n",
      "\n",
      "Status: é\n",
    ]);
  });
});
