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

describe("a source", () => {
  it("is counted exactly, and its first and last functions are found, however long it is", () => {
    const count = 30_000;
    const part = (index: number): string =>
      `def part_number_${index}(order):\n    total = order.total + ${index}\n    return total\n\n`;
    const source = `import os\n\n${Array.from({ length: count }, (_, index) => part(index)).join("")}`;
    const { text } = select(createCodeAnalyzer, source, roomOf(4000), "what does part_number_29998 return?");
    expect(text).toContain("30,000 functions");
    expect(text).toContain("def part_number_29998(order):");
    expect(text).toContain("    total = order.total + 29998");
  });

  it("shows of a huge function the part around the words, under its signature", () => {
    const steps = Array.from({ length: 3000 }, (_, index) =>
      index === 1700 ? "    releaseSemaphore(waiting);" : `    step(${index});`,
    );
    const source = `#include <shop.h>\n\nstatic int run(struct shop *shop)\n{\n${steps.join("\n")}\n}\n`;
    const { text } = select(createCodeAnalyzer, source, roomOf(1500), "which semaphore is released too early?");
    expect(text).toContain("static int run(struct shop *shop)");
    expect(text).toContain("    step(1699);\n    releaseSemaphore(waiting);\n    step(1701);");
  });

  it("keeps several files in a row apart, each under its heading", () => {
    const python = LANGUAGES.find(({ name }) => name === "Python");
    const go = LANGUAGES.find(({ name }) => name === "Go");
    if (python === undefined || go === undefined) throw new Error("no sample");
    const source = `==> shop/orders.py <==\n${sampleSource(python)}\n==> shop/orders.go <==\n${sampleSource(go)}`;
    const { text } = expectLaws(createCodeAnalyzer, source, roomOf(2400));
    expect(text).toContain("==> shop/orders.py <==");
    expect(text).toContain("==> shop/orders.go <==");
    expect(text).toContain("class OrderBook(Shop):");
    expect(text).toContain("type OrderBook struct {");
  });

  it("is read in its own language though it begins with long tables", () => {
    const table = Array.from(
      { length: 300 },
      (_, index) => `\tSHOP_FIELD(order, ${index}, SIZE_OF(${index})),\n\t\tLAST_OF(a)`,
    );
    const source = `#include "shop.h"\n\nstatic const struct field fields[] = {\n${table.join("\n")}\n};\n\nstatic int\nload_orders(struct shop *shop)\n{\n\treturn shop->count;\n}\n`;
    const { text } = select(createCodeAnalyzer, source, roomOf(1200));
    expect(text).toContain("load_orders(struct shop *shop)");
  });
});
