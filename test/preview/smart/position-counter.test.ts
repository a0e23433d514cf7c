import fc from "fast-check";
import { expect, test } from "vitest";
import { PositionCounter } from "../../../src/preview/smart/position-counter.ts";

const PARTS = ["a", "\n", "\r\n", " ".repeat(40), "é", "😀", "word ".repeat(9)];
const encoder = new TextEncoder();

/** Where the end of a text stands. */
function endOf(text: string): object {
  const lines = text.split("\n");
  return { line: lines.length, byte: encoder.encode(text).length, char: text.length, inLine: lines.at(-1) !== "" };
}

test("places are those of the text before them, whatever the chunks and in whatever order an ASCII chunk is asked", () => {
  const chunks = fc.array(fc.array(fc.constantFrom(...PARTS), { maxLength: 12 }).map((parts) => parts.join("")));
  fc.assert(
    fc.property(chunks, fc.array(fc.nat(500), { maxLength: 6 }), (texts, asked) => {
      const counter = new PositionCounter();
      let before = "";
      for (const text of texts) {
        const bytes = encoder.encode(text);
        const ascii = bytes.length === text.length;
        counter.load(bytes, ascii ? text : undefined);
        for (const at of ascii ? asked.filter((place) => place <= text.length) : []) {
          expect({ ...counter.positionAt(at) }).toEqual(endOf(before + text.slice(0, at)));
        }
        before += text;
        counter.countTo(bytes.length);
        expect({ ...counter.position() }).toEqual(endOf(before));
      }
    }),
  );
});
