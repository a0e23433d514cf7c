import { describe, it } from "vitest";
import { createTextAnalyzer } from "../../../src/preview/engine/create-text-analyzer.ts";
import { checkLaws, expectLaws, roomOf } from "../smart/shape-laws.ts";

describe("code laws", () => {
  it("hold for any bytes, room, question and chunking", () => {
    checkLaws(createTextAnalyzer, [
      "import x\n",
      "class Parser:\n",
      "    def unicode_input(self):\n",
      "        return self.fail(1)\n",
      "static int\n",
      "parse(int a,\n",
      "      int b)\n{\n",
      "}\n",
      "function fail(a) {\n",
      "/* open\n",
      "*/\n",
      '"""\n',
      "==> a.py <==\n",
      "     1\tdef a():\n",
      "// unicode\n",
    ]);
  });

  it("hold where one chunk reads as the one before", () => {
    const blanks = 'function fail(a) {\n"""\n\n\n"""\nimport x\n    def unicode_input(self):\n';
    for (const size of [0, 60, 600]) expectLaws(createTextAnalyzer, blanks, roomOf(size));
  });
});
