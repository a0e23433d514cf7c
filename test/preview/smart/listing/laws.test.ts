import { describe, it } from "vitest";
import { createListingAnalyzer } from "../../../../src/preview/smart/listing/create-listing-analyzer.ts";
import { checkLaws } from "../shape-laws.ts";

describe("listing laws", () => {
  it("hold for any bytes, room, question and chunking", () => {
    checkLaws(
      createListingAnalyzer,
      [
        "src/parser/index.ts\n",
        "tests/a.test.ts\n",
        "docs/x.md\n",
        "./a:\n",
        "├── b\n",
        "│   └── c.ts\n",
        "-rw-r--r-- 1 u g 12 Jan 1 10:00 f.ts\n",
        "100644 blob 0123456789012345678901234567890123456789 77\tz.c\n",
      ],
      { tailOf: (line) => /[^/\\\s]*[/\\]?$/.exec(line)?.[0] ?? "" },
    );
  });
});
