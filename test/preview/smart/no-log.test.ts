import { describe, expect, it } from "vitest";
import { preview } from "../../../src/preview/preview.ts";
import { detectShape } from "../../../src/preview/smart/detect-shape.ts";
import { TEXTS_WITHOUT_LOG } from "./texts-without-log.ts";

describe("what is no log is not read as one", () => {
  it("is tried on forty texts", () => {
    expect(TEXTS_WITHOUT_LOG.length).toBeGreaterThanOrEqual(40);
  });

  for (const { name, shape, text, title, structure } of TEXTS_WITHOUT_LOG) {
    it(name, () => {
      expect(detectShape(new TextEncoder().encode(text.slice(0, 65_536)))).toBe(shape);
      const shown = preview(text, { strategy: "smart", maxBytes: 3500 });
      expect(shown.shape).toBe(shape);
      expect(shown.text).toMatch(title);
      for (const line of structure) expect(shown.text).toContain(line);
      const head = shown.blocks[0];
      expect(head?.startLine).toBeLessThanOrEqual(8);
      expect(shown.kept.bytes + shown.omissions.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(shown.source.bytes);
    });
  }
});

describe("the item that is asked for", () => {
  const asked = TEXTS_WITHOUT_LOG.flatMap(({ name, text }) => {
    const lines = text.split("\n");
    const at = Math.floor(lines.length * 0.6);
    return [{ name, lines, at }];
  });
  for (const { name, lines, at } of asked) {
    it(`is shown: ${name}`, () => {
      const told = lines.map((line, index) => (index === at ? `${line} zanzibar quokka` : line));
      const shown = preview(told.join("\n"), {
        strategy: "smart",
        maxBytes: 3500,
        query: "where is the zanzibar quokka?",
      });
      expect(shown.text).toContain("zanzibar quokka");
    });
  }
});
