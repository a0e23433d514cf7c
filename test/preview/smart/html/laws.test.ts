import { describe, it } from "vitest";
import { createHtmlAnalyzer } from "../../../../src/preview/smart/html/create-html-analyzer.ts";
import { checkLaws, expectLaws, roomOf } from "../shape-laws.ts";

describe("HTML laws", () => {
  it("hold where a text is nothing but a colour", () => {
    const page = `${"<p>one two three</p>".repeat(20)}<pre><b>\n x</b>\n</pre><tr>\u001b[31m`;
    for (let lines = 1; lines < 12; lines++) expectLaws(createHtmlAnalyzer, page, roomOf(235, { lines }), "one");
  });

  it("hold for any bytes, room, question and chunking", () => {
    checkLaws(createHtmlAnalyzer, [
      "<p>",
      "</p>",
      '<div class="article">',
      "</div>",
      "<a href=x>link</a>",
      "<script>if (a < b) {}</script>",
      "<!-- no -->",
      "<td>",
      "<tr>",
      "<pre>\n a\n</pre>",
      "Some words, that make a sentence. ",
      "&amp;&#8217;",
      "<title>T</title>",
      "<br>",
      "<br><br>",
      `<script type="application/ld+json">{"articleBody":"${"It was, é, so. ".repeat(8)}\\n\\nMore \\"of it\\" \\u003cp\\u003e${"and more. ".repeat(9)}"}</script>`,
      "<![CDATA[",
      "]]>",
      "<pre><b>\n x</b>\n",
    ]);
  });
});
