import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT } from "../support/build.ts";

/** The files that a user gets, as npm itself lists them. */
const packed = (
  JSON.parse(
    execFileSync("npm", ["pack", "--dry-run", "--ignore-scripts", "--json"], {
      cwd: PROJECT,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }),
  ) as readonly [{ readonly files: readonly { readonly path: string }[] }]
)[0].files.map(({ path }) => path);
const pages = packed.filter((file) => file.endsWith(".md") && !file.startsWith("dist/"));

interface Link {
  readonly page: string;
  readonly target: string;
}

/** Code is no place for links: what looks like one there is shown, not followed. */
function linksOf(page: string): readonly Link[] {
  const text = readFileSync(join(PROJECT, page), "utf8")
    .replace(/^( *)(```+)[\s\S]*?^\1\2/gm, "")
    .replace(/`[^`\n]*`/g, "`code`");
  const inline = [...text.matchAll(/\[[^\]]*\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g)];
  const named = [...text.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm)];
  return [...inline, ...named].map(([, target = ""]) => ({ page, target }));
}

/** The anchors of a page's headings, as readers of Markdown make them. */
function anchorsOf(page: string): readonly string[] {
  const text = readFileSync(join(PROJECT, page), "utf8").replace(/^( *)(```+)[\s\S]*?^\1\2/gm, "");
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replace(/\s/g, "-"),
  );
}

function isDead({ page, target }: Link): boolean {
  if (/^(https?|mailto):/.test(target)) return false;
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? page : posix.join(posix.dirname(page), path);
  const found = packed.includes(file) || packed.some((other) => other.startsWith(`${file.replace(/\/$/, "")}/`));
  if (!found) return true;
  return anchor !== undefined && file.endsWith(".md") && !anchorsOf(file).includes(anchor);
}

describe("the pages of the package", () => {
  it("are the README, SECURITY and the documentation", () => {
    expect(pages).toEqual(expect.arrayContaining(["README.md", "SECURITY.md", "CHANGELOG.md", "docs/architecture.md"]));
    expect(packed.filter((file) => file.startsWith("docs/internal/"))).toEqual([]);
    expect(pages.flatMap(linksOf).length).toBeGreaterThan(50);
  });

  it("have no dead link among themselves", () => {
    expect(pages.flatMap(linksOf).filter(isDead)).toEqual([]);
  });

  it("know a dead link when they see one", () => {
    expect(isDead({ page: "README.md", target: "docs/nothing.md" })).toBe(true);
    expect(isDead({ page: "README.md", target: "docs/gate.md#no-such-heading" })).toBe(true);
    expect(isDead({ page: "docs/gate.md", target: "../src/index.ts" })).toBe(true);
    expect(isDead({ page: "docs/gate.md", target: "../README.md" })).toBe(false);
  });

  it("invent no address of the project", () => {
    const { repository, homepage, bugs } = JSON.parse(readFileSync(join(PROJECT, "package.json"), "utf8"));
    expect({ repository, homepage, bugs }).toEqual({});
  });
});
