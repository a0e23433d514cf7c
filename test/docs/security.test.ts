import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PROJECT } from "../support/build.ts";

it("names a test that is there for every promise of the page on security", () => {
  const page = readFileSync(join(PROJECT, "docs/security.md"), "utf8");
  const promises = page.split("## What is promised")[1]?.split("\n## ")[0] ?? "";
  const rows = promises.split("\n").filter((line) => /^\| (?!promise|-)/.test(line) && !line.startsWith("|---"));
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) {
    const tests = [...row.matchAll(/`(test\/[^`]+)`/g)].map(([, file]) => file as string);
    expect(tests, row).not.toEqual([]);
    expect(tests.filter((file) => !existsSync(join(PROJECT, file)))).toEqual([]);
  }
});
