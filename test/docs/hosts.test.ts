import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { HOSTS } from "../../src/integrations/hosts/find-host.ts";
import { readResults, renderSummary, renderTable } from "../hosts/results.ts";
import { PROJECT } from "../support/build.ts";

const BLOCK = /<!-- measured: (\S+) -->\n[\s\S]*?<!-- end -->/g;
const results = readResults();
const SUMMARIES: Readonly<Record<string, readonly [head: string, sayOf: string]>> = {
  "README.md": ["| agent | error lines of a 3 MB build log that its model sees, alone | with Spillway |", "of"],
  "README.zh-CN.md": ["| 智能体 | 3 MB 构建日志的错误行，模型看到的，单独使用 | 使用 Spillway |", "/"],
};

/** `UPDATE=1` writes what was measured into the page instead of comparing. */
function compare(file: string, render: (name: string) => string): readonly string[] {
  const page = readFileSync(join(PROJECT, file), "utf8");
  const shown = page.replaceAll(
    BLOCK,
    (_, name: string) => `<!-- measured: ${name} -->\n\n${render(name)}\n\n<!-- end -->`,
  );
  if (process.env.UPDATE === "1") writeFileSync(join(PROJECT, file), shown);
  expect(readFileSync(join(PROJECT, file), "utf8")).toBe(shown);
  return [...page.matchAll(BLOCK)].map(([, name = ""]) => name);
}

test("docs/hosts.md shows what test/hosts has measured, of every agent", () => {
  const shown = compare("docs/hosts.md", (host) => {
    const result = results[host];
    return result === undefined ? "Not measured." : renderTable(result);
  });
  expect(shown).toEqual(expect.arrayContaining(Object.keys(results)));
});

test("docs/hosts.md has a section for every host, with its one line", () => {
  const page = readFileSync(join(PROJECT, "docs", "hosts.md"), "utf8");
  for (const { name, title } of HOSTS)
    expect(page).toContain(`\n## ${title} (\`${name}\`)\n\n\`npx spillway init ${name}\`\n`);
});

test.each(Object.entries(SUMMARIES))("%s begins with what init changes", (page, [head, sayOf]) => {
  expect(compare(page, () => renderSummary(results, head, sayOf))).toEqual(["summary"]);
  const start = readFileSync(join(PROJECT, page), "utf8").split("\n").slice(0, 8);
  expect(start.join("\n")).toContain("npx spillway init");
});
