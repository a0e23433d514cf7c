import { describe, it } from "vitest";
import { createCodeAnalyzer } from "../../../../src/preview/smart/code/create-code-analyzer.ts";
import { checkLaws, expectLaws, roomOf } from "../shape-laws.ts";

describe("code laws", () => {
  it("hold for any bytes, room, question and chunking", () => {
    checkLaws(createCodeAnalyzer, [
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
    for (const size of [0, 60, 600]) expectLaws(createCodeAnalyzer, blanks, roomOf(size));
  });
});
