import { describe, expect, it } from "vitest";
import { Reservoir } from "../../../src/preview/lines/reservoir.ts";

interface Item {
  readonly worth: number;
  readonly place: number;
}

const reservoirOf = (maxChars: number, maxItems?: number): Reservoir<Item> =>
  new Reservoir<Item>({
    maxChars,
    ...(maxItems === undefined ? {} : { maxItems }),
    worth: ({ worth }) => worth,
    place: ({ place }) => place,
    chars: () => 10,
  });

describe("the reservoir", () => {
  it.each([
    ["characters", reservoirOf(1000)],
    ["items", reservoirOf(Number.POSITIVE_INFINITY, 100)],
  ])("holds a bounded number of %s, the best of all, in order", (_, reservoir) => {
    const worthAt = (place: number): number => (place * 7919) % 1009;
    for (let place = 0; place < 20_000; place++) {
      const worth = worthAt(place);
      if (reservoir.admits(worth, place)) reservoir.add({ worth, place });
    }
    const places = reservoir.items.map(({ place }) => place);
    expect(places.length).toBeLessThanOrEqual(100);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(Math.min(...reservoir.items.map(({ worth }) => worth))).toBeGreaterThan(1000);
  });

  it("weighs no more than a few times what comes in", () => {
    const reservoir = reservoirOf(1000);
    for (let place = 0; place < 20_000; place++) {
      if (reservoir.admits(place, place)) reservoir.add({ worth: place, place });
    }
    expect(reservoir.weighed).toBeLessThan(3 * 20_000);
  });
});
