import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT } from "../support/build.ts";

/** How many requirements of each part must have a row, from 1 on. */
const PARTS = { A: 12, B: 7, C: 7, D: 10, E: 6, F: 6, M: 1, P: 9, Q: 2, S: 10, V: 8 };
const SINGLE = ["S21", "S22"];

const rows = readFileSync(join(PROJECT, "docs/internal/requirements.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("|") && !/^\|(?: id |-)/.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()));

describe("docs/internal/requirements.md", () => {
  it("has one row for every requirement", () => {
    const expected = Object.entries(PARTS).flatMap(([part, count]) =>
      Array.from({ length: count }, (_, index) => `${part}${index + 1}`),
    );
    const ids = rows.map(([, id = ""]) => id);
    expect(ids).toEqual(expect.arrayContaining([...expected, ...SINGLE]));
    expect(ids.filter((id) => !/^[A-Z]\d+$/.test(id))).toEqual([]);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  it("has four cells in each row", () => {
    expect(rows.filter((cells) => cells.length !== 6)).toEqual([]);
  });

  it.each(rows.map(([, id, , modules = "", tests = ""]) => [id, modules, tests] as const))(
    "%s names modules and tests that exist",
    (_, modules, tests) => {
      const missing = [
        ...modules.split(", ").map((name) => join("src", name)),
        ...tests.split(", ").map((name) => join("test", name)),
      ].filter((name) => !existsSync(join(PROJECT, name)));
      expect(missing).toEqual([]);
    },
  );
});
