import { describe, expect, it } from "vitest";
import { leanOnNeighbours } from "../../../src/preview/lines/fill-room.ts";

describe("leaning on neighbours", () => {
  const leaned = (scores: readonly number[], groups: readonly unknown[]): readonly number[] => [
    ...leanOnNeighbours(Float64Array.from(scores), groups, { reach: 2, share: 0.5 }),
  ];

  it("raises what stands near the best of its group, and nothing else", () => {
    expect(leaned([0, 0, 4, 0, 0, 0], ["a", "a", "a", "a", "a", "a"])).toEqual([2, 2, 4, 2, 2, 0]);
  });

  it("does not reach into another group, nor lower what is better than its neighbours", () => {
    expect(leaned([0, 4, 0, -3], ["a", "a", "b", "b"])).toEqual([2, 4, 0, -1.5]);
  });
});
