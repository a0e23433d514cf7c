import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CASES, type Case, NOT_ALLOWED } from "../frameworks/not-allowed.ts";
import { PROJECT } from "../support/build.ts";

const FILE = join(PROJECT, "docs/frameworks.md");
const TRIED = /<!-- tried -->\n[\s\S]*?<!-- end -->/;

test("docs/frameworks.md shows what is tried in every framework", () => {
  const page = readFileSync(FILE, "utf8");
  const cases = Object.keys(CASES) as Case[];
  const rows = [
    ["framework", ...Object.values(CASES)],
    ["---", ...cases.map(() => "---")],
    ...Object.entries(NOT_ALLOWED).map(([name, reasons]) => [name, ...cases.map((each) => reasons[each] ?? "yes")]),
  ];
  const table = rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  const shown = page.replace(TRIED, () => `<!-- tried -->\n\n${table}\n\n<!-- end -->`);
  if (process.env.UPDATE === "1") writeFileSync(FILE, shown);
  expect(readFileSync(FILE, "utf8")).toBe(shown);
  expect(page).toMatch(TRIED);
});
