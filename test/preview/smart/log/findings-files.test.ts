import { describe, expect, it } from "vitest";
import { preview } from "../../../../src/preview/preview.ts";

const shown = (lines: readonly string[], maxChars: number): string =>
  preview(`${lines.join("\n")}\n`, { strategy: "smart", maxChars }).text;

/** What a linter says of many files, each named once above it. */
function lint(name: (file: number) => string, say: (place: number, grave: boolean) => string): string[] {
  return Array.from({ length: 60 }, (_, file) => [
    name(file),
    ...Array.from({ length: 30 }, (_, place) => say(place + 1, file === 37 && place === 24)),
    "",
  ]).flat();
}

describe("the file that a linter names above its findings", () => {
  it("is shown with the error far below it", () => {
    const text = shown(
      lint(
        (file) => `/shop/src/basket${file}.js`,
        (line, grave) =>
          `  ${line}:5  ${grave ? "error    Pears counted twice" : "warning  Pear never used"}  some-rule`,
      ),
      1500,
    );
    expect(text).toContain("Pears counted twice");
    expect(text).toContain("/shop/src/basket37.js");
  });

  it("is shown with several errors of one file once, and with those of the next", () => {
    const lines = lint(
      (file) => `src/basket ${file}.css`,
      (line) => ` ${line}:1  ⚠  Unexpected pear  pear-rule`,
    );
    const at = (file: number, place: number): number => 32 * file + place;
    lines[at(20, 11)] = " 11:1  ✖  Unknown unit plum  unit-rule";
    lines[at(20, 29)] = " 29:1  ✖  Unknown word quince  word-rule";
    lines[at(41, 9)] = " 9:1  ✖  Unclosed medlar  block-rule";
    const text = shown(lines, 2500);
    for (const file of [20, 41]) expect(text.match(new RegExp(`^src/basket ${file}\\.css$`, "gm"))).toHaveLength(1);
  });
});
