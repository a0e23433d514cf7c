import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accountFor, makeSelection, type Piece, type Position } from "../../src/preview/pieces.ts";

const BYTES = 60;
const at = (byte: number): Position => ({ line: 1, byte, char: byte, inLine: byte > 0 });
const piece = (start: number, end: number, reason = "a", score = 1): Piece => ({
  start: at(start),
  end: at(end),
  reason,
  score,
});
const spans = (pieces: readonly Piece[]): [number, number][] => pieces.map(({ start, end }) => [start.byte, end.byte]);

describe("a selection", () => {
  it("has its pieces in order and disjoint, and keeps each byte of any of them once", () => {
    const any = fc
      .tuple(fc.nat({ max: BYTES }), fc.nat({ max: BYTES }), fc.constantFrom("a", "b"), fc.nat({ max: 3 }))
      .map(([one, other, reason, score]) => piece(Math.min(one, other), Math.max(one, other), reason, score));
    fc.assert(
      fc.property(fc.array(any, { maxLength: 12 }), (pieces) => {
        const selection = makeSelection("", pieces);
        let before = 0;
        for (const { start, end } of selection.pieces) {
          expect(start.byte).toBeGreaterThanOrEqual(before);
          expect(end.byte).toBeGreaterThan(start.byte);
          before = end.byte;
        }
        const given = new Set(pieces.flatMap(({ start, end }) => range(start.byte, end.byte)));
        expect(selection.pieces.flatMap(({ start, end }) => range(start.byte, end.byte))).toEqual(
          [...given].sort((a, b) => a - b),
        );
        expect(accountFor(selection.pieces, at(BYTES)).kept.bytes).toBe(given.size);
      }),
    );
  });

  it("joins what overlaps under the reason that counts most", () => {
    const { pieces } = makeSelection("", [
      piece(10, 20, "match", 2),
      piece(0, 12, "heading", 5),
      piece(15, 18, "context", 9),
    ]);
    expect(spans(pieces)).toEqual([[0, 20]]);
    expect(pieces[0]).toMatchObject({ reason: "context", score: 9 });
  });

  it("joins what touches only when it was kept for the same reason", () => {
    expect(spans(makeSelection("", [piece(5, 9), piece(0, 5)]).pieces)).toEqual([[0, 9]]);
    expect(spans(makeSelection("", [piece(5, 9, "b"), piece(0, 5, "a")]).pieces)).toEqual([
      [0, 5],
      [5, 9],
    ]);
  });
});

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
