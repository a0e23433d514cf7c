import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PROJECT } from "../support/build.ts";
import { blocksOf, PAGES, readPage } from "./blocks.ts";
import { describePage } from "./describe-page.ts";
import { NOT_RUN } from "./stand-ins.ts";

// The two READMEs are run in test/docs, which is quick.
for (const page of PAGES.filter((name) => !name.startsWith("README"))) describePage(page);

it("leaves out only what is there, and for a reason", () => {
  for (const [page, what] of NOT_RUN)
    expect(
      blocksOf(readPage(page)).some(({ source }) => what.test(source)),
      `${page} ${what}`,
    ).toBe(true);
});

it("names scripts of the project that exist", () => {
  const { scripts } = JSON.parse(readFileSync(join(PROJECT, "package.json"), "utf8"));
  const named = [...PAGES, "bench/recall/README.md", "bench/quality/README.md"].flatMap((page) =>
    [...readPage(page).matchAll(/npm run ([\w:]+)/g)].map(([, name = ""]) => name),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
});
