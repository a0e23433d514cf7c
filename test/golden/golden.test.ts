import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { preview } from "../../src/preview/index.ts";
import { madeCases, recordedCases } from "./cases.mjs";
import { byKind, goldenFile, misses } from "./golden.mjs";

const made = byKind(madeCases());
const all = new Map([...made, ...byKind(recordedCases())]);
/** Of each kind, how many made cases show all that is labelled; never to be lowered. */
const FLOORS: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(new URL("floors.json", import.meta.url), "utf8"),
);

describe("golden previews", () => {
  it.each([...all.keys()])("of kind %s are as committed; `npm run golden` rewrites them", (kind) => {
    const file = new URL(`previews/${kind}.md`, import.meta.url);
    const committed = existsSync(file) ? readFileSync(file, "utf8") : "";
    expect(goldenFile(kind, all.get(kind) ?? [], preview)).toBe(committed);
  });
});

describe("labelled lines of made outputs", () => {
  it.each([...made.keys()])("of kind %s show in as many cases as before", (kind) => {
    const cases = (made.get(kind) ?? []).map((each) => ({ name: each.name, missed: misses(each, preview) }));
    const complete = cases.filter(({ missed }) => missed.length === 0).length;
    expect(complete, JSON.stringify(cases, undefined, 1)).toBeGreaterThanOrEqual(FLOORS[kind] ?? Number.NaN);
  });
});
