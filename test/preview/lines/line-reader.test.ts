import { describe, expect, it } from "vitest";
import { LineReader, shownText } from "../../../src/preview/lines/line-reader.ts";
import { Relevance } from "../../../src/query/relevance.ts";

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

  it("places lines in a long output as in a short one", () => {
    const places = (text: string): unknown[] => {
      const spans: unknown[] = [];
      const reader = new LineReader((line, { line: number, byte, char, bytes, chars, terminated, cut }) => {
        spans.push([line.length > 100 ? line.length : line, number, byte, char, bytes, chars, terminated, cut]);
      });
      const bytes = new TextEncoder().encode(text);
      for (let at = 0; at < bytes.length; at += 100_000) reader.write(bytes.subarray(at, at + 100_000));
      reader.end();
      return spans;
    };
    const part = `one\n\nzwei ü\n${"long ".repeat(4000)}\n${"y".repeat(70_000)}\nend\n`;
    const before = 1_500_000;
    const long = places(`${"x".repeat(before)}\n${part}`).slice(1);
    expect(long).toEqual(
      places(part).map((span) => {
        const [text, line, byte, char, ...rest] = span as [string, number, number, number];
        return [text, line + 1, byte + before + 1, char + before + 1, ...rest];
      }),
    );
  });
});
