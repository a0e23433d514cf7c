import { describe, expect, it } from "vitest";
import { createListingAnalyzer } from "../../../../src/preview/smart/listing/create-listing-analyzer.ts";
import { expectLaws, roomOf } from "../shape-laws.ts";

const names = (folder: string, count: number, extension: string): string =>
  Array.from({ length: count }, (_, n) => `${folder}/${"abcdefghij"[n % 10]}${n}-part.${extension}\n`).join("");

const listing =
  names("docs/api", 200, "md") +
  names("locale/de/LC_MESSAGES", 100, "po") +
  names("src/core", 40, "ts") +
  names("src/parser", 40, "ts") +
  "src/parser/unicode-escapes.ts\n" +
  names("tests/core", 300, "ts");

describe("listing", () => {
  it("shows source of every folder and sums up the rest", () => {
    const { text } = expectLaws(createListingAnalyzer, listing, roomOf(1800));
    expect(text).toMatch(/^\[listing: 681 entries; \d+ shown\]/);
    expect(text).toMatch(/^src\/core\/\n a0-part\.ts b1-part\.ts/m);
    expect(text).toMatch(/^src\/parser\/$/m);
    expect(text).not.toMatch(/^locale\//m);
    expect(text).toMatch(/not shown: tests\/core\/ \d+, docs\/api\/ \d+/);
  });

  it("finds the file the question is about", () => {
    const asked = "which file reads escapes of unicode characters?";
    const { text } = expectLaws(createListingAnalyzer, listing, roomOf(600), asked);
    expect(text).toMatch(/^src\/parser\/\n(?: .*\n)* (?:.* )?unicode-escapes\.ts/m);
  });

  it("reads ls -lR and tree", () => {
    const long = Array.from({ length: 60 }, (_, n) => `-rw-r--r-- 1 u g ${n * 1000} Jan  1 10:00 f${n}.ts`).join("\n");
    const { text } = expectLaws(createListingAnalyzer, `./src:\ntotal 12\n${long}\n`, roomOf(900));
    expect(text).toMatch(/not shown: src\/ \d+/);
    const tree = `.\n├── src\n${Array.from({ length: 80 }, (_, n) => `│   ├── module${n}.ts\n`).join("")}└── README.md\n`;
    expect(expectLaws(createListingAnalyzer, tree, roomOf(700)).text).toMatch(/^src\/\n module\d+\.ts module/m);
  });

  it("names a folder once, and shows a folder's only entry by its whole path", () => {
    const two = `${names("src/very/long/way/to/the/core", 60, "ts")}bin/run.ts\n`;
    const { text } = expectLaws(createListingAnalyzer, two, roomOf(900));
    expect(text.match(/src\/very\/long/g)).toHaveLength(1);
    expect(text).toMatch(/^bin\/run\.ts$/m);
    expect(text.match(/-part\.ts/g)?.length ?? 0).toBeGreaterThan(45);
  });

  it("keeps the headings of ls -R as they are", () => {
    const recursive = ["./src", "./src/core", "./tests"].map(
      (folder) => `${folder}:\n${Array.from({ length: 40 }, (_, n) => `${folder.length}part${n}x.ts\n`).join("")}`,
    );
    const { text } = expectLaws(createListingAnalyzer, recursive.join("\n"), roomOf(900));
    expect(text).toMatch(/^\.\/src:\n 5part0x\.ts/m);
    expect(text.match(/^\.\/src\/core:$/gm)).toHaveLength(1);
  });

  it("does not starve a flat folder of sources", () => {
    const flat = Array.from({ length: 120 }, (_, n) => `module_${"abcdefghij"[n % 10]}${n}x.py\n`).join("");
    const deep = Array.from({ length: 120 }, (_, n) => `one/two/three/four/f${n}/part${n}x.py\n`).join("");
    const { text } = expectLaws(createListingAnalyzer, deep + flat, roomOf(2200));
    expect(text.match(/ module_/g)?.length ?? 0).toBeGreaterThan(80);
  });

  it("reads the parts of an identifier in the question, also those that questions often say", () => {
    const asked = "line_graph() of a directed graph loses parallel edges";
    const many = Array.from({ length: 200 }, (_, n) => `lib/generators/part${n}x.py\n`).join("");
    const { text } = expectLaws(
      createListingAnalyzer,
      `${many}lib/generators/line.py\n${many.replaceAll("part", "tail")}`,
      roomOf(600),
      asked,
    );
    expect(text).toMatch(/^lib\/generators\/\n(?: .*\n)* (?:.* )?line\.py/m);
  });
});
