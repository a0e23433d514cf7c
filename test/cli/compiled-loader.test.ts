import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CompiledLoader } from "../../src/cli/compiled-loader.ts";
import { builtPackage } from "../support/build.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "spillway-loader-"));
  writeBundle("base.cjs", "exports.base = () => 40;");
  writeBundle("entry.cjs", 'const { base } = require("./base.cjs"); exports.answer = () => base() + 2;');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function writeBundle(name: string, source: string): void {
  writeFileSync(path.join(folder, name), source);
}

function keptFolder(): string {
  const name = readdirSync(folder).find((entry) => entry.startsWith("compiled-"));
  return path.join(folder, name ?? "none");
}

function answer(): unknown {
  const loader = new CompiledLoader(folder);
  const { answer: ask } = loader.load("./entry.cjs") as { answer: () => unknown };
  const said = ask();
  loader.keep();
  return said;
}

test("keeps the compiled form of each bundle and uses it again", () => {
  expect(answer()).toBe(42);
  expect(readdirSync(keptFolder()).sort()).toEqual(["base.cjs", "entry.cjs"]);
  const before = new CompiledLoader(folder);
  before.load("./entry.cjs");
  rmSync(keptFolder(), { recursive: true });
  // Nothing was compiled anew, so there is nothing to keep.
  before.keep();
  expect(readdirSync(folder).sort()).toEqual(["base.cjs", "entry.cjs"]);
});

test("keeps all bundles again when one is new, with the functions that were called by now", () => {
  const body = Array.from({ length: 200 }, (_, n) => `if (given === ${n}) return "this is answer ${n}";`).join("\n");
  writeBundle("base.cjs", `exports.base = () => 40; exports.rare = (given) => {${body}};`);
  expect(answer()).toBe(42);
  const first = statSync(path.join(keptFolder(), "base.cjs")).size;
  writeBundle("late.cjs", 'exports.late = () => require("./base.cjs").rare(7);');
  const loader = new CompiledLoader(folder);
  loader.load("./entry.cjs");
  expect((loader.load("./late.cjs") as { late: () => unknown }).late()).toBe("this is answer 7");
  loader.keep();
  expect(statSync(path.join(keptFolder(), "base.cjs")).size).toBeGreaterThan(first);
  expect(answer()).toBe(42);
});

test("takes a bundle that was changed, though it has the same length", () => {
  expect(answer()).toBe(42);
  const past = new Date(Date.now() - 60_000);
  for (const name of readdirSync(keptFolder())) utimesSync(path.join(keptFolder(), name), past, past);
  writeBundle("base.cjs", "exports.base = () => 70;");
  expect(answer()).toBe(72);
});

test("compiles when what was kept is damaged", () => {
  expect(answer()).toBe(42);
  for (const name of readdirSync(keptFolder())) writeFileSync(path.join(keptFolder(), name), "no compiled code");
  expect(answer()).toBe(42);
  expect(answer()).toBe(42);
});

test("needs no folder that it can write to", () => {
  writeFileSync(path.join(folder, `compiled-${process.version}-${process.arch}`), "a file in the way");
  expect(answer()).toBe(42);
  chmodSync(folder, 0o500);
  expect(answer()).toBe(42);
  chmodSync(folder, 0o700);
});

test("a bundle may import modules, in a later process too", () => {
  writeBundle("late.mjs", "export const late = 7;");
  writeBundle("entry.cjs", 'exports.load = () => require.importModule("./late.mjs");');
  const loader = fileURLToPath(new URL("../../src/cli/compiled-loader.ts", import.meta.url));
  const source = ts.transpileModule(readFileSync(loader, "utf8"), {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
  }).outputText;
  writeBundle("loader.mjs", source);
  writeBundle(
    "start.mjs",
    `import { CompiledLoader } from "./loader.mjs";
const loader = new CompiledLoader(${JSON.stringify(folder)});
console.log((await loader.load("./entry.cjs").load()).late);
loader.keep();`,
  );
  for (let start = 0; start < 2; start++) {
    const said = spawnSync(process.execPath, [path.join(folder, "start.mjs")], { encoding: "utf8" });
    expect(said).toMatchObject({ status: 0, stdout: "7\n", stderr: "" });
  }
});

test("the built bundles are ASCII, and what they print beyond it arrives as it is", async () => {
  const { bin, dist } = await builtPackage();
  const bundles = readdirSync(dist).filter((name) => name.endsWith(".cjs"));
  expect(bundles).toContain("frequent.cjs");
  const beyond = bundles.filter((name) => /[^\0-\x7f]/.test(readFileSync(path.join(dist, name), "latin1")));
  expect(beyond).toEqual([]);
  const records = Array.from({ length: 300 }, (_, n) => `Package: p${n}\nVersion: 1.${n}\nDescription: a part\n`).join(
    "\n",
  );
  const preview = spawnSync(process.execPath, [bin, "preview", "--max-bytes", "800"], {
    input: records,
    encoding: "utf8",
  });
  expect(preview.stdout).toContain("…");
});
