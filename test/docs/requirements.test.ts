import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT } from "../support/build.ts";

const IDS = { A: 12, B: 7, C: 7, D: 8, E: 5, S: 10 };

const rows = readFileSync(join(PROJECT, "docs/requirements.md"), "utf8")
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .filter(([, id = ""]) => /^[A-Z]\d+$/.test(id));

describe("docs/requirements.md", () => {
  it("has a row for every requirement", () => {
    const expected = Object.entries(IDS).flatMap(([part, count]) =>
      Array.from({ length: count }, (_, index) => `${part}${index + 1}`),
    );
    expect(rows.map(([, id = ""]) => id)).toEqual(expect.arrayContaining(expected));
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
