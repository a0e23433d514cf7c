import { describe, expect, it } from "vitest";
import { preview } from "../../../../src/preview/preview.ts";

const section = (n: number): string =>
  `## Part ${n}\n\nThe harbour keeps ropes of kind ${n} in its stores. They are counted every week.\n\n- one\n- two\n`;
const body = Array.from({ length: 150 }, (_, n) => section(n)).join("\n");
const show = (text: string, query?: string): string =>
  preview(text, { strategy: "smart", maxBytes: 2000, ...(query === undefined ? {} : { query }) }).text;

describe("a document", () => {
  it("is called as the settings before it say, and opens with its first sentence", () => {
    const settings =
      "---\ntitle: The harbour\nslug: a/b/c\nl10n:\n  commit: 7dbcde5a0aa6855447d015d99\ntags:\n  - sea\n---\n";
    const text = show(`${settings}\n{{Sidebar}}\n\nThe harbour is where ships stay. It is large.\n\n${body}`);
    expect(text).toContain("title: The harbour");
    expect(text).toContain("The harbour is where ships stay. It is large.");
    expect(text).not.toMatch(/slug:|7dbcde5a|Sidebar/);
  });

  it("opens with what it says, not with badges, pictures and styles", () => {
    const badges = Array.from(
      { length: 9 },
      (_, n) =>
        `<a href="https://example.com/${n}">\n  <img src="b${n}.svg" alt="badge">\n</a>\n[![ok](c${n}.svg)](https://example.com)`,
    ).join("\n");
    const head = `[x]: img.png\n\n# The harbour\n\n<style>\n.a { color: red }\n</style>\n\n<p align="center">\n${badges}\n</p>\n\n---\n`;
    const text = show(`${head}\n<em>Where ships stay at night.</em>\n\n${body}`);
    expect(text).toContain("# The harbour");
    expect(text).toContain("<em>Where ships stay at night.</em>");
    expect(text).not.toMatch(/badge|color|\[x\]/);
  });

  it("says what it is called, however much of it is asked for", () => {
    const text = show(`# The harbour\n\nIt is large.\n\n${body}`, "which ropes of what kind are in the stores?");
    expect(text).toContain("# The harbour");
  });
});
