import { describe, expect, it } from "vitest";
import { createHtmlAnalyzer } from "../../../../src/preview/smart/html/create-html-analyzer.ts";
import { expectLaws, roomOf, select } from "../shape-laws.ts";

const words =
  "the harbour master wrote that the old crane, which nobody had moved since the war, would be lifted again. ";
const paragraph = (n: number, repeats = 4): string => `Paragraph ${n} begins here: ${words.repeat(repeats)}`.trim();
const paragraphs = (count: number, repeats?: number): string[] =>
  Array.from({ length: count }, (_, n) => paragraph(n, repeats));
const shownOf = (text: string): number[] =>
  [...text.matchAll(/^Paragraph (\d+) begins here/gm)].map(([, number]) => Number(number));

describe("pages longer than the room", () => {
  it("begin with whole paragraphs and give the beginning of every other", () => {
    const all = paragraphs(30);
    const page = `<html><body><article><h1>The crane</h1>${all.map((text) => `<p>${text}</p>`).join("\n")}</article></body></html>`;
    const { text } = expectLaws(createHtmlAnalyzer, page, roomOf(8000));
    expect(shownOf(text)).toEqual(all.map((_, n) => n));
    for (const whole of all.slice(0, 3)) expect(text).toContain(`${whole}\n`);
    for (const line of text.split("\n").filter((shown) => shown.startsWith("Paragraph"))) {
      const [, beginning, rest] = /^(.*?)(?: … ([\d,]+) characters …)?$/.exec(line) ?? [];
      expect(beginning?.length).toBeGreaterThan(109);
      const source = all.find((whole) => whole.startsWith(beginning ?? "none"));
      expect(source?.length).toBe((beginning ?? "").length + Number(rest ?? 0));
    }
  });

  it("open with the first paragraph, though galleries part it from the rest, and leave no room unused", () => {
    const opening =
      "Emden is the chief port of the region, known for its canals, its museums, and one famous comedian.";
    const gallery = Array.from(
      { length: 4 },
      (_, n) => `<figure><img src="${n}.jpg"><figcaption>Picture ${n}</figcaption></figure>`,
    );
    const stop = (n: number): string =>
      `<section><h2>Stop ${n}</h2><div>${gallery.join("")}</div><div><div><p>${paragraph(n, n === 3 ? 12 : 2)}</p></div></div></section>`;
    const page = `<html><body><h1>Emden</h1><div><p>${opening}</p></div>${gallery.join("")}${Array.from({ length: 30 }, (_, n) => stop(n)).join("")}</body></html>`;
    const { text } = expectLaws(createHtmlAnalyzer, page, roomOf(3000));
    expect(text).toContain(opening);
    expect(text.length).toBeGreaterThan(2400);
  });

  it("spread over the article what they show of it", () => {
    const page = `<article>${paragraphs(400)
      .map((text) => `<p>${text}</p>`)
      .join("\n")}</article>`;
    const shown = shownOf(expectLaws(createHtmlAnalyzer, page, roomOf(4000)).text);
    expect(shown.slice(0, 3)).toEqual([0, 1, 2]);
    expect(shown.at(-1)).toBe(399);
    for (let from = 0; from < 400; from += 50) {
      expect(shown.some((number) => number >= from && number < from + 50)).toBe(true);
    }
  });

  it("stay spread when the page is longer than what is held of it", () => {
    const page = `<article>${paragraphs(6000, 2)
      .map((text) => `<p>${text}</p>`)
      .join("\n")}</article>`;
    const shown = shownOf(select(createHtmlAnalyzer, page, roomOf(8000)).text);
    expect(shown.slice(0, 3)).toEqual([0, 1, 2]);
    for (let from = 0; from < 6000; from += 1000) {
      expect(shown.some((number) => number >= from && number < from + 1000)).toBe(true);
    }
  });

  it("show whole what the question asks for", () => {
    const all = paragraphs(60);
    all[41] = `Paragraph 41 begins here: ${words.repeat(3)}At last the zeppelin was moored.`;
    const page = `<article>${all.map((text) => `<p>${text}</p>`).join("\n")}</article>`;
    const room = roomOf(8000);
    expect(expectLaws(createHtmlAnalyzer, page, room, "where was the zeppelin moored?").text).toContain(all[41]);
    expect(expectLaws(createHtmlAnalyzer, page, room).text).not.toContain(all[41]);
  });
});

describe("paragraphs without <p>", () => {
  it("end at two line breaks", () => {
    const links = Array.from(
      { length: 60 },
      (_, n) => `<a href="/${n}">Another story of the harbour ${n}</a><br>`,
    ).join("");
    const page = `<html><body><table><tr><td>${links}</td><td>${paragraphs(8).join("<br><br />\n")}</td><td>${links}</td></tr></table></body></html>`;
    const { text } = expectLaws(createHtmlAnalyzer, page, roomOf(3020));
    expect(shownOf(text)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(text).not.toContain("Another story");
  });

  it("are cut at sentences when nothing else cuts them", () => {
    const page = `<html><body><div>${paragraphs(12, 3).join(" ")}</div></body></html>`;
    const { text } = expectLaws(createHtmlAnalyzer, page, roomOf(2500));
    expect(text.split("\n").length).toBeGreaterThan(4);
    expect(text).toMatch(/^Paragraph 10 begins/m);
  });

  it("keep the lines of code inside other elements", () => {
    const page = `<html><body><article><p>${paragraph(0)}</p><pre><code>\n<b>int</b> main() {\n  return 0;\n}\n</code></pre></article></body></html>`;
    expect(expectLaws(createHtmlAnalyzer, page, roomOf(2000)).text).toContain("\nint main() {\n  return 0;\n}");
  });
});
