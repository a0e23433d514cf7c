import { describe, expect, it } from "vitest";
import { Floor } from "../../../src/preview/lines/reservoir.ts";

interface Standing {
  readonly worth: number;
  readonly place: number;
}

const worthOf = ({ worth }: Standing) => worth;
const placeOf = ({ place }: Standing) => place;

describe("the floor", () => {
  it("admits all until memory ran short, then nothing worse than what was kept", () => {
    const floor = new Floor();
    expect(floor.admits(0, 1)).toBe(true);
    const items = Array.from({ length: 100 }, (_, place) => ({ worth: place % 10, place }));
    const kept = floor.betterHalf(items, worthOf, placeOf);
    expect(kept).toHaveLength(50);
    expect(Math.min(...kept.map(({ worth }) => worth))).toBe(5);
    expect(floor.admits(4, 1)).toBe(false);
    expect(floor.admits(6, 1)).toBe(true);
  });

  it("keeps equals spread over the output, in order, and admits ever fewer", () => {
    const floor = new Floor();
    let held: Standing[] = [];
    let admitted = 0;
    for (let place = 0; place < 100_000; place++) {
      if (!floor.admits(1, place)) continue;
      admitted++;
      held.push({ worth: 1, place });
      if (held.length >= 200) held = floor.betterHalf(held, worthOf, placeOf);
    }
    expect(admitted).toBeLessThan(3000);
    expect(held.map(({ place }) => place)).toEqual(held.map(({ place }) => place).sort((a, b) => a - b));
    for (let part = 0; part < 10; part++) {
      expect(held.some(({ place }) => Math.floor(place / 10_000) === part)).toBe(true);
    }
  });
});
