import { describe, expect, it } from "vitest";
import { createCodeAnalyzer } from "../../../../src/preview/smart/code/create-code-analyzer.ts";
import { detectShape } from "../../../../src/preview/smart/detect-shape.ts";
import { expectLaws, roomOf, select } from "../shape-laws.ts";
import { DECLARED, LANGUAGES, methodLines, sampleSource } from "./languages.ts";

for (const language of LANGUAGES) {
  const source = sampleSource(language);

  describe(`source in ${language.name}`, () => {
    it("is known as code", () => {
      expect(detectShape(new TextEncoder().encode(source))).toBe("code");
    });

    it("is drawn as an outline that names every class and function", () => {
      const { text } = expectLaws(createCodeAnalyzer, source, roomOf(1700));
      for (const name of DECLARED) expect(text).toContain(name);
      expect(text).toContain(source.split("\n")[0]);
    });

    it("shows the function that is asked for whole, and the others by name", () => {
      const { text } = expectLaws(createCodeAnalyzer, source, roomOf(1700), "why is the rebate rounded twice?");
      for (const line of methodLines(language, "applyDiscount")) expect(text).toContain(line);
      for (const name of DECLARED) expect(text).toContain(name);
    });

    it("is read through the numbers that a tool puts before its lines", () => {
      const lines = source.split("\n").slice(0, -1);
      const forms = [
        lines.map((line, index) => `${String(index + 1).padStart(6)}\t${line}`),
        lines.map((line, index) => `${String(index + 1).padStart(5)}→${line}`),
        lines.map((line, index) => `${index + 1}: ${line}`),
        lines.map((line, index) => `${String(index + 1).padStart(5, "0")}| ${line}`),
      ];
      for (const numbered of forms) {
        const text = `${numbered.join("\n")}\n`;
        expect(detectShape(new TextEncoder().encode(text))).toBe("code");
        const shown = select(createCodeAnalyzer, text, roomOf(2000)).text;
        for (const name of DECLARED) expect(shown).toContain(name);
      }
    });
  });
}
