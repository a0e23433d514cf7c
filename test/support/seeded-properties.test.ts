import fc from "fast-check";
import { describe, expect, it } from "vitest";

function draw(): number[] {
  const drawn: number[] = [];
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999 }), (value) => {
      drawn.push(value);
    }),
    { numRuns: 5 },
  );
  return drawn;
}

describe.skipIf(process.env.SPILLWAY_FUZZ_SECONDS !== undefined || process.env.SPILLWAY_SEED !== undefined)(
  "what a property draws",
  () => {
    it("is the same on every day", () => {
      expect(draw()).toEqual([353, 7, 804, 177, 3]);
    });

    it("is another for each test", () => {
      expect(draw()).toEqual([995, 3, 317, 992, 336]);
    });

    it("is told with the seed and the path of a find", () => {
      const find = (): void => fc.assert(fc.property(fc.nat(), (value) => value < 1000));
      expect(find).toThrow(/seed: -?\d+, path: "[\d:]+"/);
    });
  },
);
