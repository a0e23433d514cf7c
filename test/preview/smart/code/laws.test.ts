import { describe, it } from "vitest";
import { createCodeAnalyzer } from "../../../../src/preview/smart/code/create-code-analyzer.ts";
import { checkLaws } from "../shape-laws.ts";

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
});
