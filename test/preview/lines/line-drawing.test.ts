import { describe, expect, it } from "vitest";
import { gapMarker, type HeldLine, LineDrawing } from "../../../src/preview/lines/line-drawing.ts";
import { stamp } from "../../../src/preview/mark.ts";

/** Line `number` of an output whose lines are all `line N`, of 7 bytes each with the newline. */
function line(number: number): HeldLine {
  const start = (number - 1) * 7;
  return {
    text: `line ${number}`,
    line: number,
    byte: start,
    char: start,
    bytes: 7,
    chars: 7,
    terminated: true,
    cut: false,
  };
}

describe("a drawing of lines", () => {
  it("has each line once and in order, whatever the order they are shown in", () => {
    const drawing = new LineDrawing({ lineChars: 80 });
    drawing.note("[results]");
    for (const number of [4, 1, 4, 2]) drawing.show(line(number), "match", number);
    const { text, pieces } = drawing.finish();
    expect(text).toBe("[results]\nline 1\nline 2\nline 4");
    expect(pieces.map(({ start, end }) => [start.byte, end.byte])).toEqual([
      [0, 14],
      [21, 28],
    ]);
  });

  it("marks what is left out between two lines, never beside a note", () => {
    const drawing = new LineDrawing({ lineChars: 80, marker: gapMarker });
    drawing.note("[head]");
    for (const number of [2, 3, 6]) drawing.show(line(number), "match", 1);
    drawing.note("… 2 more …");
    drawing.show(line(9), "match", 1);
    const { text } = drawing.finish();
    expect(
      stamp(text, undefined)
        .split("\n")
        .map((each) => each.slice(0, 6)),
    ).toEqual(["[head]", "line 2", "line 3", "… 2 li", "line 6", "… 2 mo", "line 9"]);
  });

  it("knows the line shown last until a note follows", () => {
    const drawing = new LineDrawing({ lineChars: 80, marker: gapMarker });
    expect(drawing.last).toBe(0);
    drawing.show(line(3), "match", 1);
    expect(drawing.last).toBe(3);
    drawing.note("…");
    expect(drawing.last).toBe(0);
  });
});
