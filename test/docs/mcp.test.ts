import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { HOSTS } from "../../src/integrations/hosts/find-host.ts";
import { readRows, renderMatrix } from "../mcp/matrix.ts";
import { PROJECT } from "../support/build.ts";

const FILE = join(PROJECT, "docs/mcp.md");
const MATRIX = /<!-- seen -->\n[\s\S]*?<!-- end -->/;

test("docs/mcp.md shows what was seen of MCP in every agent", () => {
  const page = readFileSync(FILE, "utf8");
  const shown = page.replace(MATRIX, () => `<!-- seen -->\n\n${renderMatrix()}\n\n<!-- end -->`);
  if (process.env.UPDATE === "1") writeFileSync(FILE, shown);
  expect(readFileSync(FILE, "utf8")).toBe(shown);
  expect(Object.keys(readRows()).sort()).toEqual(["claude-code", "codex", "gemini", "opencode", "qwen"]);
  expect(page).toMatch(MATRIX);
});

test("docs/mcp.md has the limits of every client that is known", () => {
  const page = readFileSync(FILE, "utf8");
  for (const { mcp } of HOSTS) {
    if (mcp?.client === undefined) continue;
    const { name, maxBytes } = mcp.client;
    const row = page.split("\n").find((line) => line.includes(`(\`${name}`)) ?? "";
    expect(row, name).toContain(maxBytes.success.toLocaleString("en-US"));
    expect(row, name).toContain(maxBytes.failure.toLocaleString("en-US"));
  }
});
