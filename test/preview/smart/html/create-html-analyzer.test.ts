import { describe, expect, it } from "vitest";
import { createHtmlAnalyzer } from "../../../../src/preview/smart/html/create-html-analyzer.ts";
import { expectLaws, roomOf } from "../shape-laws.ts";

const sentence = (n: number): string =>
  `<p>Paragraph ${n} tells, at some length, what the harbour &amp; its <a href="/x">old crane</a> look like today.</p>`;
const menu = Array.from({ length: 200 }, (_, n) => `<li><a href="/m${n}">Menu entry number ${n}</a></li>`).join("\n");
const page = `<!DOCTYPE html><html><head><title>The harbour</title><script>if (a < b) { alert("<p>no</p>") }</script>
<style>p { color: red }</style></head><body><nav class="main-menu"><ul>${menu}</ul></nav>
<div class="article-body"><h1>The harbour at night</h1>${Array.from({ length: 12 }, (_, n) => sentence(n)).join("\n")}
<h2>Numbers</h2><table><tr><th>Year</th><th>Ships</th></tr><tr><td>2019</td><td>1,204</td></tr></table>
<pre>crane --lift 3
  crane --stop</pre></div>
<div class="sidebar related">${Array.from({ length: 60 }, (_, n) => `<p><a href="/r${n}">Related story ${n}, which you may like as well</a></p>`).join("")}</div>
<footer><p>All rights reserved, and so on, and so forth, by the owners of this site.</p></footer></body></html>`;

describe("HTML", () => {
  it("shows the article, not the menus, scripts and related links", () => {
    const { text } = expectLaws(createHtmlAnalyzer, page, roomOf(2600));
    expect(text).toContain("# The harbour\n");
    expect(text).toContain("# The harbour at night");
    for (let n = 0; n < 12; n++)
      expect(text).toContain(`Paragraph ${n} tells, at some length, what the harbour & its old crane look`);
    expect(text).not.toMatch(/Menu entry|alert|color: red/);
    expect((text.match(/Related story/g) ?? []).length).toBeLessThan(4);
  });

  it("finds the article in a menu that is never closed", () => {
    const text = Array.from({ length: 12 }, (_, n) => sentence(n)).join("\n");
    const nested = Array.from(
      { length: 9 },
      (_, n) => `<div class="menu sub-nav-${n}"><a href="/m">Entry ${n}</a>`,
    ).join("");
    const open = `<html><head><title>The harbour</title></head><body>${nested}<div class="story">${text}</div></body></html>`;
    const shown = expectLaws(createHtmlAnalyzer, open, roomOf(2000)).text;
    for (let n = 0; n < 12; n++) expect(shown).toContain(`Paragraph ${n} tells`);
  });

  it("keeps tables and preformatted text readable", () => {
    const { text } = expectLaws(createHtmlAnalyzer, page, roomOf(3000));
    expect(text).toContain("2019 | 1,204");
    expect(text).toContain("crane --lift 3\n  crane --stop");
  });

  it("counts what it leaves out", () => {
    const { text } = expectLaws(createHtmlAnalyzer, page, roomOf(700));
    const [, all, left] = /^\[page text: (\d+) blocks in .* of markup; (\d+) left out\]/.exec(text) ?? [];
    const marked = [...text.matchAll(/^… (\d+) blocks?: bytes \d+-\d+ …$/gm)].reduce(
      (sum, [, count]) => sum + Number(count),
      0,
    );
    expect(marked).toBe(Number(left));
    expect(Number(all)).toBeGreaterThan(270);
  });
});
