import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { modules } from "../../tsdown.config.ts";
import { type BuiltPackage, builtPackage, PROJECT } from "../support/build.ts";
import { temporaryFolder } from "../support/folder.ts";

const folder = temporaryFolder("entries");
let built: BuiltPackage;
beforeAll(async () => {
  built = await builtPackage();
  // Prints every module that a process loads, by a hook around the loader.
  writeFileSync(
    join(folder, "hooks.mjs"),
    "import { writeSync } from 'node:fs';\nexport async function load(url, context, next) { writeSync(2, 'LOADED ' + url + '\\n'); return next(url, context); }\n",
  );
  writeFileSync(
    join(folder, "register.mjs"),
    "import { register } from 'node:module';\nregister('./hooks.mjs', import.meta.url);\n",
  );
});

/** Modules that a fresh process loads for an entry of the built package, and the names it exports. */
function load(entry: string): { readonly modules: readonly string[]; readonly names: readonly string[] } {
  const { modules, printed } = run(
    entry,
    "import * as entry from ENTRY;\nconsole.log(JSON.stringify(Object.keys(entry)));",
  );
  return { modules, names: JSON.parse(printed) };
}

/** Modules that a script with an entry loads, and what it prints. */
function run(entry: string, source: string): { readonly modules: readonly string[]; readonly printed: string } {
  const script = join(folder, "load.mjs");
  const url = pathToFileURL(join(built.dist, entry)).href;
  writeFileSync(script, `${source.replace("ENTRY", JSON.stringify(url))}\n`);
  const line = `exec "${process.execPath}" --import "${pathToFileURL(join(folder, "register.mjs")).href}" "${script}" 2>"${folder}/log"`;
  const printed = execFileSync("sh", ["-c", line], { encoding: "utf8" });
  const modules = readFileSync(join(folder, "log"), "utf8").match(/(?<=^LOADED ).*$/gm) ?? [];
  return { modules, printed };
}

function bytesOf(modules: readonly string[]): number {
  return modules.reduce((sum, url) => sum + (url.startsWith("file:") ? statSync(fileURLToPath(url)).size : 0), 0);
}

/** Libraries may also be bundled, so the files themselves are looked at. */
function holdsCommandLine(url: string): boolean {
  if (!url.startsWith("file:") || !url.endsWith(".mjs") || url.includes(folder)) return false;
  return /createRunCommand|class Command\b|commander\./.test(readFileSync(fileURLToPath(url), "utf8"));
}

/** True for a module of another package, by its own file or bundled into one of ours. */
function isForeign(url: string): boolean {
  if (/node_modules\/(?!\.cache\/)/.test(url)) return true;
  if (!url.startsWith("file:") || url.includes(folder)) return false;
  return readFileSync(fileURLToPath(url), "utf8").includes("//#region node_modules/");
}

describe("importing", () => {
  it("spillway loads no package at all, no command line, and has the fixed names", () => {
    const { modules, names } = load("index.mjs");
    expect(modules.length).toBeGreaterThan(3);
    expect(modules.filter(isForeign)).toEqual([]);
    expect(modules.filter(holdsCommandLine)).toEqual([]);
    for (const name of ["Truncate", "Tool", "ObservationTruncator", "createSpillway"]) expect(names).toContain(name);
    expect(names).not.toContain("default");
    // Nor what only an output over a limit needs: the analyzers of previews, the tables of tokens.
    expect(bytesOf(modules)).toBeLessThan(400_000);
    // Nor those of Node's own modules that take long to load.
    expect(modules).not.toContain("node:crypto");
    expect(modules).not.toContain("node:child_process");
  });

  it("the command line loads little of all this before it knows the command", () => {
    const { modules, printed } = run("cli.mjs", 'import { start } from ENTRY;\nawait start(["", "", "--version"]);');
    expect(printed).toMatch(/^\d+\.\d+\.\d+/);
    expect(bytesOf(modules)).toBeLessThan(100_000);
  });

  it("spillway/preview loads no package and no file system", () => {
    const { modules, names } = load("preview.mjs");
    expect(modules.filter((url) => isForeign(url) || /^node:(?!module)/.test(url))).toEqual([]);
    expect(names).toContain("preview");
  });

  it("spillway/preview as Node gets it loads its larger parts when they are first needed", () => {
    const whole = load("preview.mjs");
    const late = load("preview-node.mjs");
    expect(late.names).toEqual(whole.names);
    expect(late.modules.filter((url) => isForeign(url) || /^node:(?!module)/.test(url))).toEqual([]);
    expect(bytesOf(late.modules)).toBeLessThan(80_000);
    const source = `import { preview } from ENTRY;
import { createRequire } from "node:module";
const loaded = () => Object.keys(createRequire(import.meta.url).cache).map((file) => /late-(\\w+)\\.cjs$/.exec(file)?.[1]);
const said = [];
for (const options of [{}, { strategy: "smart" }, { maxTokens: 10 }]) {
  preview("a row of a log\\n".repeat(5000), options);
  said.push(loaded().filter(Boolean).join(" "));
}
const code = "export function read(from: string): number {\\n  return from.length;\\n}\\n\\n".repeat(2000);
const json = JSON.stringify(Array.from({ length: 9000 }, (_, id) => ({ id })));
for (const output of [json, code, "./src/read.ts\\n".repeat(9000)]) {
  preview(output, { strategy: "smart" });
  said.push(loaded().filter(Boolean).join(" "));
}
console.log(said.join("; "));`;
    expect(run("preview-node.mjs", source).printed).toBe(
      "; smart; smart tokens; smart tokens json; smart tokens json engine; smart tokens json engine shapes\n",
    );
  });

  it("one error class is known to the other entries", () => {
    const source = `import { preview } from ENTRY;
import { SpillwayError } from "./index.mjs";
class Own extends SpillwayError {}
try { preview(7); } catch (error) { console.log(error instanceof SpillwayError, error instanceof Own, new Own("ABORTED", "") instanceof Own); }`;
    const index = JSON.stringify(pathToFileURL(join(built.dist, "index.mjs")).href);
    expect(run("preview-node.mjs", source.replace('"./index.mjs"', index)).printed).toBe("true false true\n");
  });

  it("shows with the hook that a heavy entry would be noticed", () => {
    expect(load("tools.mjs").modules.some((url) => /node_modules\/zod\//.test(url))).toBe(true);
  });

  it("spillway/protocol has the fixed names", () => {
    const { names } = load("protocol.mjs");
    expect(names).toEqual(expect.arrayContaining(["validateToolResponse", "toolResponseSchema"]));
  });
});

/** Built for the package itself: the command line and worker threads. */
const INTERNAL = ["cli", "html-worker", "preview-worker", "query-worker", "spool-worker", "tag-worker"];

describe("the package's exports", () => {
  const { exports } = JSON.parse(readFileSync(join(PROJECT, "package.json"), "utf8")) as {
    exports: Record<string, string | { types: string; default: string; node?: string }>;
  };

  it("are the built entries, each with its types", () => {
    const entries = Object.entries(exports).filter(([name]) => name !== "./package.json");
    const exported = entries.map(([, target]) => (typeof target === "string" ? target : target.default));
    const built = Object.keys(modules.entry as Record<string, string>).filter((name) => !INTERNAL.includes(name));
    expect(exported.sort()).toEqual(built.map((name) => `./dist/${name}.mjs`).sort());
    for (const [, target] of entries)
      expect(target).toMatchObject({
        types: typeof target === "string" ? "" : target.default.replace(".mjs", ".d.mts"),
      });
  });

  it("exist in the build, without a default export", () => {
    for (const target of Object.values(exports)) {
      const file = typeof target === "string" ? target : target.default;
      expect(existsSync(join(built.folder, file)), file).toBe(true);
      if (file.endsWith(".mjs"))
        expect(readFileSync(join(built.folder, file), "utf8")).not.toMatch(/\bas default\b|export default/);
      if (typeof target === "object" && target.node) expect(existsSync(join(built.folder, target.node))).toBe(true);
    }
  });
});
