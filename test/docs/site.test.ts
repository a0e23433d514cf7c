import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PROJECT } from "../support/build.ts";
import { temporaryFolder } from "../support/folder.ts";

it("every page for users is in the site's list", () => {
  const config = readFileSync(join(PROJECT, "site/.vitepress/config.mjs"), "utf8");
  const pages = readdirSync(join(PROJECT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && name !== "README.md" && !name.startsWith("internal"))
    .map((name) => name.replace(".md", ""));
  expect(pages.length).toBeGreaterThan(25);
  expect(pages.filter((name) => !config.includes(`"${name}"]`))).toEqual([]);
});

it("a dead link of the built site is found, and no other", async () => {
  const { findDeadLinks } = (await import(join(PROJECT, "site/dead-links.mjs"))) as {
    findDeadLinks(folder: string): { readonly pages: number; readonly links: number; readonly dead: readonly string[] };
  };
  const folder = temporaryFolder("site");
  mkdirSync(join(folder, "more"));
  const links = [
    "/more/b",
    "/more/b#here",
    "more/b.html",
    "#top",
    "https://example.com",
    "/gone",
    "/more/b#gone",
    "x.png",
  ];
  writeFileSync(join(folder, "index.html"), `<h1 id="top"></h1>${links.map((to) => `<a href="${to}">x</a>`).join("")}`);
  writeFileSync(join(folder, "more/b.html"), '<h1 id="here"></h1><a href="../">up</a><img src="/x.svg">');
  writeFileSync(join(folder, "x.svg"), "<svg/>");
  const { pages, dead } = findDeadLinks(folder);
  expect(pages).toBe(2);
  expect(dead).toEqual(["index.html: /gone", "index.html: /more/b#gone", "index.html: x.png"]);
});
