import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SourceReader } from "../../../../src/preview/smart/code/source-reader.ts";
import { Relevance } from "../../../../src/query/relevance.ts";

const SIGNS = [": /", "/*", "*/", '"""', "'''"] as const;
/** So much of an output must have passed before its lines are scanned by compiled code. */
const LONG_LINE = `${"x".repeat(1_100_000)}\n`;
const PARTS =
  "( ) { } : / /* */ \"\"\" ''' \" ' // # * timeout Time out a.b é ɵ 日本 😀 \u001b[1m \u0000 \r \t \u0085 \u00a0".split(
    " ",
  );

interface ReadLine {
  readonly text: string;
  readonly indent: number;
  readonly first: number;
  readonly meaning: number;
  readonly signs: readonly boolean[];
  readonly bytes: number;
  readonly chars: number;
}

interface Read {
  readonly lines: readonly ReadLine[];
  readonly asked: readonly boolean[];
}

/** What a page knows of the lines of a text that stands behind another. */
function read(before: string, text: string, relevance: Relevance): Read {
  const reader = new SourceReader({ capacity: 500, lines: 500 }, relevance, () => 500);
  const encoder = new TextEncoder();
  reader.write(encoder.encode(before));
  const { page } = reader;
  const skipped = page.count;
  reader.write(encoder.encode(text));
  reader.end();
  const indices = Array.from({ length: page.count - skipped }, (_, index) => skipped + index);
  return {
    lines: indices.map((index) => {
      const { text: held, byte, char } = page.held(index);
      return {
        text: held,
        indent: page.indents[index] as number,
        first: page.firsts[index] as number,
        meaning: page.meanings[index] as number,
        signs: [page.opensParenthesis(index), ...SIGNS.map((sign) => page.has(sign, index))],
        bytes: byte - before.length,
        chars: char - before.length,
      };
    }),
    asked: indices.map((index) => page.asked[index] === 1),
  };
}

describe("a reader of source", () => {
  it("knows the same of lines that compiled code has scanned", () => {
    const relevance = new Relevance("timeout");
    const line = fc
      .array(fc.tuple(fc.constantFrom(...PARTS), fc.constantFrom("", " ", "x")), { maxLength: 8 })
      .map((parts) => parts.flat().join(""));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 60 }), (lines) => {
        const text = lines.join("\n");
        const plain = read("int first;\n", text, relevance);
        const scanned = read(LONG_LINE, text, relevance);
        expect(scanned.lines).toEqual(plain.lines);
        // A scan may take a line for one that says something, never the other way round.
        for (const [index, { text: said }] of scanned.lines.entries())
          if (relevance.tally(said) !== undefined) expect(scanned.asked[index]).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
