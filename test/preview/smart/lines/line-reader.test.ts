import { describe, expect, it } from "vitest";
import { LineReader, shownText } from "../../../../src/preview/smart/lines/line-reader.ts";
import { Relevance } from "../../../../src/query/relevance.ts";

/** The lines of which the reader says that they hold nothing of the question. */
function sparedLines(text: string, relevance: Relevance, chunkBytes: number): string[] {
  const spared: string[] = [];
  const reader = new LineReader((line, span) => {
    if (!span.asked) spared.push(shownText(line, span));
  });
  reader.question = relevance;
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += chunkBytes) reader.write(bytes.subarray(at, at + chunkBytes));
  reader.end();
  return spared;
}

describe("a line reader with a question", () => {
  const relevance = new Relevance("where does createConnection time out");

  it("spares the lines that hold none of its words", () => {
    const lines = ["plain", "const c = CreateConnection();", "nothing of it", "a runtime", "TIME"];
    expect(sparedLines(`${lines.join("\n")}\n`, relevance, 1000)).toEqual(["plain", "nothing of it"]);
  });

  it("never spares one that does, whatever the chunks and what hides the word", () => {
    const text = "plain\nSet TIME here\n\u001b[1mconn\u001b[0mection\ncreate\rover\nnothing of it\n".repeat(50);
    for (const chunkBytes of [7, 64, 1000, 100_000]) {
      const spared = sparedLines(text, relevance, chunkBytes);
      expect(spared.filter((line) => relevance.tally(line) !== undefined)).toEqual([]);
    }
  });
});
