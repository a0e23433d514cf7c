import { spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtPackage, PROJECT } from "../support/build.ts";

/** `UPDATE=1` writes what the commands print into the pages instead of comparing. */
const UPDATE = process.env.UPDATE === "1";
const PAGES = ["README.md", "README.zh-CN.md"];
const PRINTS = /<!-- prints: (.+?) -->\n+```text\n([\s\S]*?)```/g;
const SCRIPTS = /```js\n([\s\S]*?)```\n+```text\n([\s\S]*?)```/g;

let root = "";
let folder = "";

beforeAll(async () => {
  folder = (await builtPackage()).folder;
  cpSync(path.join(PROJECT, "examples"), path.join(folder, "examples"), { recursive: true });
  root = mkdtempSync("/tmp/spillway-readme-");
  cpSync(path.join(PROJECT, "examples"), path.join(root, "examples"), { recursive: true });
  mkdirSync(path.join(root, "bin"));
  const program = path.join(folder, "bin/spillway.mjs");
  chmodSync(program, 0o755);
  symlinkSync(program, path.join(root, "bin", "spillway"));
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** What differs from run to run is set to one value. */
function normalized(text: string): string {
  return text
    .replaceAll(root, "/shop")
    .replaceAll(/tool_\d{8}_\d{6}_/g, "tool_20261115_120000_")
    .replaceAll(/\b0[0-9a-z]{21}\b|(?<=_)0[0-9a-z]{21}(?=\.)/g, "0mwid0000000000000000")
    .trimEnd();
}

/** Runs a line where `spillway` is on the path, as after a global installation. */
function runShell(line: string): string {
  const env = { ...process.env, PATH: `${path.join(root, "bin")}${path.delimiter}${process.env.PATH}` };
  return spawnSync("bash", ["-c", line], { cwd: root, env, encoding: "utf8" }).stdout;
}

function runScript(source: string): string {
  const file = path.join(folder, "examples", "from-readme.mjs");
  writeFileSync(file, source);
  const { stdout, stderr, status } = spawnSync(process.execPath, [file], { cwd: root, encoding: "utf8" });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  return stdout;
}

describe.each(PAGES)("%s", (page) => {
  // The notice names the root, so how much room it leaves depends on how long that path is.
  it.skipIf(process.platform !== "linux")("shows what its commands and scripts really print", () => {
    let text = readFileSync(path.join(PROJECT, page), "utf8");
    let shown = 0;
    for (const [pattern, run] of [
      [PRINTS, runShell],
      [SCRIPTS, runScript],
    ] as const) {
      for (const [block, source = "", printed = ""] of [...text.matchAll(pattern)]) {
        const real = normalized(run(source));
        shown++;
        if (UPDATE)
          text = text.replace(block, () => `${block.slice(0, block.lastIndexOf("```text\n") + 8)}${real}\n\`\`\``);
        else expect(normalized(printed)).toBe(real);
      }
    }
    expect(shown).toBeGreaterThanOrEqual(2);
    if (UPDATE) writeFileSync(path.join(PROJECT, page), text);
  });

  it("links only to files that exist", () => {
    const text = readFileSync(path.join(PROJECT, page), "utf8");
    for (const [, target = ""] of text.matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      expect(() => readFileSync(path.join(PROJECT, target)), target).not.toThrow(/ENOENT/);
    }
  });
});
