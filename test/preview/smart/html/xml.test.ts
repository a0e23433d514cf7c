import { describe, expect, it } from "vitest";
import { preview } from "../../../../src/preview/preview.ts";
import { createHtmlAnalyzer } from "../../../../src/preview/smart/html/create-html-analyzer.ts";
import { expectLaws, roomOf } from "../shape-laws.ts";

describe("XML", () => {
  it("shows a feed by its entries, with the markup in CDATA and in entities read", () => {
    const item = (n: number): string =>
      `<item><title>Story ${n}</title><link>https://example.org/${n}</link><description><![CDATA[<p>Crane ${n} was lifted today, and the harbour master, who had waited, was glad.</p><p>More of it.</p>]]></description><content>&lt;p&gt;Escaped story ${n} tells, in many words, what happened.&lt;/p&gt;</content></item>`;
    const feed = `<?xml version="1.0"?>\n<rss version="2.0"><channel><title>Harbour news</title>\n${Array.from({ length: 40 }, (_, n) => item(n)).join("\n")}\n</channel></rss>`;
    const { text } = expectLaws(createHtmlAnalyzer, feed, roomOf(2500));
    expect(text).toContain("# Harbour news\n");
    expect(text).toContain("### Story 0\n");
    expect(text).toContain("\nCrane 0 was lifted today, and the harbour master, who had waited, was glad.\n");
    expect(text).toContain("\nEscaped story 0 tells, in many words, what happened.\n");
    expect(text).not.toMatch(/CDATA|\]\]|<p>/);
  });

  it("shows a test report as its lines, the failure among them", () => {
    const cases = Array.from({ length: 400 }, (_, n) =>
      n === 217
        ? `  <testcase name="case ${n}">\n    <failure message="expected 3 to equal 4"><![CDATA[AssertionError: expected 3 to equal 4\n    at Object.<anonymous> (test/parser.test.js:9:15)]]></failure>\n  </testcase>`
        : `  <testcase name="case ${n}" time="0.01"></testcase>`,
    );
    const report = `<?xml version="1.0"?>\n<testsuites tests="400" failures="1">\n${cases.join("\n")}\n</testsuites>\n`;
    const { text, shape } = preview(report, { strategy: "smart", maxBytes: 3000, maxLines: 2000 });
    expect(text).toContain('<testcase name="case 217">\n    <failure message="expected 3 to equal 4">');
    expect(text).toContain("at Object.<anonymous> (test/parser.test.js:9:15)");
    expect(shape).not.toBe("html");
  });

  it("names the cases of a report that say themselves that they failed", () => {
    const suite = "<failure><message><![CDATA[One or more child tests had errors]]></message></failure>";
    const cases = Array.from({ length: 300 }, (_, n) =>
      [
        `  <test-suite type="TestFixture" name="Fixture${n}" result="Failed" site="Child">${suite}`,
        `    <test-case id="${n}" name="Case${n}" result="${n % 40 === 7 ? "Failed" : "Passed"}" duration="0.0${n}">`,
        n % 40 === 7 ? "      <failure><message><![CDATA[Expected: 3 But was: 4]]></message></failure>" : "",
        "    </test-case>\n  </test-suite>",
      ].join("\n"),
    );
    const report = `<?xml version="1.0"?>\n<test-run>\n${cases.join("\n")}\n</test-run>\n`;
    const { text } = preview(report, { strategy: "smart", maxBytes: 4096, maxLines: 2000 });
    for (const n of [7, 47, 87, 127, 167, 207, 247, 287]) expect(text).toContain(`name="Case${n}" result="Failed"`);
  });

  it("shows the tags of a report in one line that has hardly any text", () => {
    const lines = Array.from({ length: 900 }, (_, n) => `<line number="${n}" hits="${n % 3}"/>`).join("");
    const report = `<?xml version="1.0"?><coverage line-rate="0.58"><sources><source>.</source></sources>${lines}</coverage>`;
    const { text } = preview(report, { strategy: "smart", maxChars: 1500 });
    expect(text).toContain('<coverage line-rate="0.58">');
  });
});
