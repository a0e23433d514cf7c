import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT } from "../support/build.ts";

const page = readFileSync(join(PROJECT, "docs", "architecture.md"), "utf8");
const named = [...page.matchAll(/`(src\/[^`\s]*)`/g)].map(([, path = ""]) => path);

describe("docs/architecture.md", () => {
  it("knows every room of the house", () => {
    const rooms = readdirSync(join(PROJECT, "src"), { withFileTypes: true });
    const expected = rooms.map((room) => (room.isDirectory() ? `src/${room.name}/` : `src/${room.name}`));
    const table = page.slice(page.indexOf("## Folders"), page.indexOf("## Walks"));
    // The version is a number, and the root is told of with the entries.
    const silent = ["src/version.ts", "src/index.ts"];
    expect(expected.filter((room) => !silent.includes(room) && !table.includes(`\`${room}\``))).toEqual([]);
  });

  it("names only files and folders that exist", () => {
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((path) => !existsSync(join(PROJECT, path)))).toEqual([]);
  });
});
