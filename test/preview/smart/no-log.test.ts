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

describe("addresses are no commits", () => {
  const address = (at: number): string => (0x401000 + at * 16).toString(16).padStart(8, "0");
  const scattered = (at: number): string => ((at * 2_654_435_761) % 0xffff_ffff).toString(16).padStart(16, "0");
  it.each([
    ["a dump of bytes", (at: number) => `${address(at)}  7f 45 4c 46 02 01 01 00  00 00 00 00  |.ELF............|`],
    [
      "the same with colons",
      (at: number) => `${address(at)}: 7f45 4c46 0201 0100 0000 0000 0000 0000  .ELF............`,
    ],
    ["a table of symbols", (at: number) => `${scattered(at)} T symbol_${at}`],
  ])("in %s", (_, line) => {
    const text = Array.from({ length: 3000 }, (_, at) => `${line(at)}\n`).join("");
    expect(preview(text, { strategy: "smart", maxBytes: 3500 }).shape).not.toBe("history");
  });
});
