import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { preview } from "../../../src/preview/preview.ts";

// Outputs that real tools print here and now, put into the middle of a long one.
const repository = path.resolve(import.meta.dirname, "../../..");
const bin = (name: string): string => path.join(repository, "node_modules", ".bin", name);
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "spillway-quality-"));
  symlinkSync(path.join(repository, "node_modules"), path.join(folder, "node_modules"));
  write(
    "src/broken.ts",
    "export const total: number = 'three';\nexport function area(side: number) {\n  return sid * side;\n}\n",
  );
  write("src/lint.js", "var unused = 1;\nif (unused == 1) debugger;\n");
  write(
    "sum.test.mjs",
    "import test from 'node:test';\nimport assert from 'node:assert';\ntest('adds up', () => assert.equal(1 + 1, 3));\n",
  );
  write(
    "spec/sum.test.ts",
    "import { expect, it } from 'vitest';\nit('multiplies well', () => expect(2 * 2).toBe(5));\n",
  );
  write("crash.cjs", "function inner() { return undefined.length; }\nfunction outer() { return inner(); }\nouter();\n");
  write("package.json", JSON.stringify({ name: "sample", version: "1.0.0", scripts: { test: "exit 3" } }));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}

function run(command: string, words: readonly string[], env: NodeJS.ProcessEnv = {}): string {
  const { stdout, stderr } = spawnSync(command, words, {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: folder, ...env },
  });
  return stdout + stderr;
}

function padded(output: string): string {
  const noise = (from: number): string =>
    Array.from(
      { length: 1200 },
      (_, index) => `[${from + index}] fetched module errors-${index} in ${index % 17} ms`,
    ).join("\n");
  return `${noise(0)}\n${output}\n${noise(1200)}\n`;
}

function shownOf(output: string): string {
  return preview(padded(output), { strategy: "smart", maxBytes: 4096 }).text;
}

describe("key lines of real tools, in 4 KB of a long output", () => {
  it("tsc", () => {
    const shown = shownOf(run(bin("tsc"), ["--noEmit", "--pretty", "false", "--strict", "src/broken.ts"]));
    expect(shown).toContain("src/broken.ts(1,14): error TS2322: Type 'string' is not assignable to type 'number'.");
    expect(shown).toContain("Cannot find name 'sid'");
  });

  it("biome", () => {
    const shown = shownOf(run(bin("biome"), ["lint", "--colors=off", "src/lint.js"]));
    expect(shown).toMatch(/src\/lint\.js:\d+:\d+ lint\/\w+\/\w+/);
  });

  it("node --test", () => {
    const shown = shownOf(run(process.execPath, ["--test", "sum.test.mjs"]));
    expect(shown).toMatch(/(?:not ok 1 - |✖ )adds up/);
    expect(shown).toMatch(/1 (?:!==|==) ?3|2 (?:!==|==) 3/);
  });

  it("vitest", () => {
    const output = run(bin("vitest"), ["run", "--root", folder, "spec/sum.test.ts"], {
      CI: "1",
    });
    expect(output).toContain("multiplies well");
    const shown = shownOf(output);
    expect(shown).toContain("multiplies well");
    expect(shown).toContain("AssertionError: expected 4 to be 5");
  });

  it("npm", () => {
    const shown = shownOf(run("npm", ["run", "no-such-script"], { npm_config_update_notifier: "false" }));
    expect(shown).toMatch(/npm (?:ERR!|error) Missing script: "no-such-script"/);
  });

  it("a stack trace of node", () => {
    const shown = shownOf(run(process.execPath, ["crash.cjs"]));
    expect(shown).toContain("TypeError: Cannot read properties of undefined (reading 'length')");
    expect(shown).toMatch(/at inner \(.*crash\.cjs:1:/);
  });

  it("git: a merge that conflicts", () => {
    const git = (...words: string[]): string =>
      run("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "init.defaultBranch=main", ...words]);
    git("init", "-q");
    write("poem.txt", "roses\n");
    git("add", "poem.txt");
    git("commit", "-qm", "one");
    git("checkout", "-qb", "other");
    write("poem.txt", "violets\n");
    git("commit", "-qam", "two");
    git("checkout", "-q", "main");
    write("poem.txt", "tulips\n");
    git("commit", "-qam", "three");
    expect(shownOf(git("merge", "other"))).toContain("CONFLICT (content): Merge conflict in poem.txt");
  });

  it("git diff names every file, rg spreads over files", () => {
    const many = Array.from({ length: 400 }, (_, index) => `const value${index} = needle(${index});`).join("\n");
    for (const name of ["alpha", "beta", "gamma"]) write(`parts/${name}.ts`, many);
    const diff =
      run("git", ["diff", "--no-index", "/dev/null", "parts/alpha.ts"]) +
      run("git", ["diff", "--no-index", "/dev/null", "parts/beta.ts"]);
    const patch = preview(diff, { strategy: "smart", maxBytes: 2000 });
    expect(patch.shape).toBe("diff");
    for (const name of ["alpha", "beta"]) expect(patch.text).toContain(`parts/${name}.ts`);
    const matches = preview(run(rgPath, ["-n", "--no-heading", "--sort", "path", "needle", "parts"]), {
      strategy: "smart",
      maxBytes: 2000,
    });
    expect(matches.shape).toBe("grep");
    for (const name of ["alpha", "beta", "gamma"]) expect(matches.text).toContain(`parts/${name}.ts`);
  });
});
