import { describe, expect, it } from "vitest";
import { createTextAnalyzer } from "../../../src/preview/engine/create-text-analyzer.ts";
import { detectShape } from "../../../src/preview/smart/detect-shape.ts";
import { expectLaws, roomOf, select } from "../smart/shape-laws.ts";
import { LANGUAGES, methodLines, sampleSource } from "./languages.ts";

for (const language of LANGUAGES) {
  const source = sampleSource(language);

  describe(`source in ${language.name}`, () => {
    it("is known as code", () => {
      expect(detectShape(new TextEncoder().encode(source))).toBe("code");
    });

    it("is shown from its beginning without a hole, and its end, when nothing is asked", () => {
      const shown = expectLaws(createTextAnalyzer, source, roomOf(800)).text.split("\n");
      const gap = shown.findIndex((line) => line.startsWith("…"));
      const lines = source.split("\n").slice(0, -1);
      expect(gap).toBeGreaterThan(0);
      expect(shown.slice(0, gap)).toEqual(lines.slice(0, gap));
      expect(shown.slice(gap + 1)).toEqual(lines.slice(gap + 1 - shown.length));
      expect(shown.slice(0, gap).join("\n").length).toBeGreaterThan(3 * shown.slice(gap + 1).join("\n").length);
    });

    it("shows the function that is asked for whole, under what it stands in", () => {
      const { text } = expectLaws(createTextAnalyzer, source, roomOf(1000), "why is the rebate rounded twice?");
      for (const line of methodLines(language, "applyDiscount")) expect(text).toContain(line);
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
        const shown = select(createTextAnalyzer, text, roomOf(1400), "why is the rebate rounded twice?").text;
        for (const line of methodLines(language, "applyDiscount")) expect(shown).toContain(line);
      }
    });
  });
}

describe("a source", () => {
  it("is searched to its end, however long it is", () => {
    const count = 30_000;
    const part = (index: number): string =>
      `def part_number_${index}(order):\n    total = order.total + ${index}\n    return total\n\n`;
    const source = `import os\n\n${Array.from({ length: count }, (_, index) => part(index)).join("")}`;
    const { text } = select(createTextAnalyzer, source, roomOf(4000), "what does part_number_29998 return?");
    expect(text).toContain("def part_number_29998(order):");
    expect(text).toContain("    total = order.total + 29998");
  });

  it("shows of a huge function the part around the words, under its signature", () => {
    const steps = Array.from({ length: 3000 }, (_, index) =>
      index === 1700 ? "    releaseSemaphore(waiting);" : `    step(${index});`,
    );
    const source = `#include <shop.h>\n\nstatic int run(struct shop *shop)\n{\n${steps.join("\n")}\n}\n`;
    const { text } = select(createTextAnalyzer, source, roomOf(1500), "which semaphore is released too early?");
    expect(text).toContain("static int run(struct shop *shop)");
    expect(text).toContain("    step(1699);\n    releaseSemaphore(waiting);\n    step(1701);");
  });

  it("keeps several files in a row apart, each under its heading", () => {
    const python = LANGUAGES.find(({ name }) => name === "Python");
    const go = LANGUAGES.find(({ name }) => name === "Go");
    if (python === undefined || go === undefined) throw new Error("no sample");
    const source = `==> shop/orders.py <==\n${sampleSource(python)}\n==> shop/orders.go <==\n${sampleSource(go)}`;
    const { text } = expectLaws(createTextAnalyzer, source, roomOf(1200), "where is applyDiscount?");
    const shown = text.split("\n");
    for (const file of ["==> shop/orders.py <==", "==> shop/orders.go <=="]) expect(shown).toContain(file);
    const second = shown.indexOf("==> shop/orders.go <==");
    expect(shown.slice(0, second).join("\n")).toMatch(/apply_?discount/i);
    expect(shown.slice(second).join("\n")).toMatch(/apply_?discount/i);
  });

  it("shows no line of the middle where nothing that it holds is asked for", () => {
    const source = Array.from({ length: 900 }, (_, index) => `def step_${index}():\n    return ${index}\n`).join("\n");
    const options = [createTextAnalyzer, source, roomOf(2000)] as const;
    expect(expectLaws(...options, "Where is the zeppelin moored?").text).toBe(expectLaws(...options).text);
  });
});
