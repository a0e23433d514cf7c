import { describe, expect, it } from "vitest";
import { createHtmlAnalyzer } from "../../../../src/preview/smart/html/create-html-analyzer.ts";
import { expectLaws, roomOf } from "../shape-laws.ts";

const parts = Array.from(
  { length: 12 },
  (_, n) => `Part ${n} tells what the "harbour master" wrote of café number ${n}, which the whole town had waited for.`,
);
const body = `${parts.slice(0, 6).join("\n\n")}<p>${parts.slice(6).join("</p><p>")}</p>`;
const json = JSON.stringify({ "@type": "NewsArticle", headline: "The crane", articleBody: body });
const page = (script: string, article = ""): string =>
  `<!DOCTYPE html><html><head><title>The crane</title>${script}</head><body><nav>${'<a href="/">Menu</a> '.repeat(30)}</nav><div id="app">${article}</div></body></html>`;

describe("text in scripts", () => {
  for (const [name, written] of [
    ["plain", json.replaceAll("</", "<\\/")],
    ["with escaped brackets", json.replaceAll("<", "\\u003c")],
  ] as const) {
    it(`is shown where the page has no other, ${name}`, () => {
      const { text } = expectLaws(
        createHtmlAnalyzer,
        page(`<script type="application/ld+json">${written}</script>`),
        roomOf(3000),
      );
      for (const part of parts) expect(text.split("\n")).toContain(part);
      expect(text).not.toContain("NewsArticle");
    });
  }

  it("stays out beside an article", () => {
    const article = Array.from(
      { length: 8 },
      (_, n) => `<p>Paragraph ${n} of the page itself, which says, at some length, what there is to say of it.</p>`,
    ).join("\n");
    const filled = page(
      `<script type="application/ld+json">${json.replaceAll("<", "\\u003c")}</script>`,
      article.repeat(2),
    );
    const { text } = expectLaws(createHtmlAnalyzer, filled, roomOf(4000));
    expect(text).toContain("Paragraph 7 of the page itself");
    expect(text).not.toContain("Part 0");
  });

  it("is not looked for in programs", () => {
    const { text } = expectLaws(createHtmlAnalyzer, page(`<script>var state = ${json}</script>`), roomOf(3000));
    expect(text).not.toContain("Part 0");
  });
});
