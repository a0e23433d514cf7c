import { describe, expect, it } from "vitest";
import { preview } from "../../../../src/preview/preview.ts";

const filler = "The harbour master wrote, as he did every week, that ropes and sails were counted and found complete.";
const section = (n: number, title = `How are ropes of kind ${n} kept?`, text = `${filler} Week ${n}.`): string =>
  `<h3 id="s${n}">${title}</h3>\n<p class="a b">${text}</p>\n<p>${filler} And <em>again</em> in week ${n}.</p>\n`;
const pageOf = (sections: readonly string[]): string =>
  `<html><head><title>Questions of the harbour</title></head><body>\n<ul class="toc">${sections
    .map((_, n) => `<li><a href="#s${n}">Entry ${n}</a></li>`)
    .join("\n")}</ul><div><h1>Questions</h1>\n${sections.join("")}</div></body></html>`;
const sections = (odd: string): string[] => Array.from({ length: 120 }, (_, n) => (n === 71 ? odd : section(n)));
const show = (page: string, query: string): string => preview(page, { strategy: "smart", maxBytes: 4096, query }).text;

describe("a page that is asked", () => {
  it("shows what stands below a heading that is the question", () => {
    const page = pageOf(
      sections(section(71, "Why is the old crane never moved?", "It would sink where it stands, they say.")),
    );
    const text = show(page, "why does nobody move the crane");
    expect(text).toContain("### Why is the old crane never moved?\nIt would sink where it stands, they say.\n");
  });

  it("shows what stands below a term that is asked for", () => {
    const terms = Array.from({ length: 300 }, (_, n) => `<dt>--rope-${n}</dt><dd>${filler} That is ${n}.</dd>\n`);
    terms[201] =
      "<dt>--crane-speed</dt><dd>Metres that are lifted in a minute, 3 at most, whatever the load is.</dd>\n";
    const page = `<html><body><h1>Options</h1><dl>${terms.join("")}</dl></body></html>`;
    expect(show(page, "what does --crane-speed do?")).toContain(
      "\n--crane-speed\nMetres that are lifted in a minute, 3",
    );
  });

  it("shows an answer as text in its place, and its row as it came", () => {
    const row = 'The <a href="/g">gooseberry crane</a> &amp; its winch are blue.';
    const text = show(pageOf(sections(section(71, "Cranes", row))), "what colour is the gooseberry crane?");
    expect(text).toContain("\nThe gooseberry crane & its winch are blue.\n");
    expect(text).toContain(row);
  });

  it("shows the markup where only that says what is asked", () => {
    const page = pageOf(sections(section(71, "Cranes", 'See <a href="/files/gooseberry.pdf">this plan</a> of it.')));
    expect(show(page, "where is gooseberry.pdf?")).toContain('href="/files/gooseberry.pdf"');
  });

  it("is not about its own address", () => {
    const page = pageOf(sections(section(71)));
    const about = "what does the page at https://example.com/weekly/ropes-complete/found say?";
    expect(show(page, about)).toBe(preview(page, { strategy: "smart", maxBytes: 4096 }).text);
  });
});
