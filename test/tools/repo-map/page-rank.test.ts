import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pageRank } from "../../../src/tools/repo-map/repo-map.ts";

describe("pageRank", () => {
  it("is highest where most references lead, by weight", () => {
    const ranks = pageRank(4, [
      { from: 0, to: 3, weight: 1 },
      { from: 1, to: 3, weight: 1 },
      { from: 2, to: 3, weight: 3 },
      { from: 2, to: 0, weight: 1 },
    ]);
    expect([...ranks.keys()].sort((a, b) => (ranks[b] ?? 0) - (ranks[a] ?? 0)).slice(0, 2)).toEqual([3, 0]);
    expect(ranks[1]).toBeCloseTo(ranks[2] ?? 0, 4);
  });

  it("adds up to 1 and leaves no node without rank, whatever the graph", () => {
    const reference = (count: number) =>
      fc.record({
        from: fc.nat(count - 1),
        to: fc.nat(count - 1),
        weight: fc.double({ min: 0.001, max: 100, noNaN: true }),
      });
    const graph = fc
      .integer({ min: 1, max: 12 })
      .chain((count) => fc.tuple(fc.constant(count), fc.array(reference(count))));
    fc.assert(
      fc.property(graph, ([count, references]) => {
        const ranks = pageRank(count, references);
        expect(ranks.reduce((sum, rank) => sum + rank, 0)).toBeCloseTo(1, 6);
        expect(Math.min(...ranks)).toBeGreaterThan(0);
      }),
    );
  });
});
