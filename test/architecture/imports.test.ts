import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT } from "../support/build.ts";
import { amongNeighbours, findCycles, importsIn, importsOf, type ModuleImport, sourceFiles } from "./module-graph.ts";

/** Lowest first: a part may import from itself and from those before it. */
const ORDER = [
  ["bytes"],
  ["platform"],
  ["errors.ts", "version.ts", "builtin-modules.ts"],
  ["redact"],
  ["telemetry"],
  ["limits"],
  ["query"],
  ["preview"],
  ["protocol"],
  ["process"],
  ["artifacts"],
  ["gate"],
  ["truncate.ts"],
  ["tool-define.ts"],
  ["tools"],
  ["agent"],
  ["integrations"],
  ["ui"],
  ["cli", "index.ts"],
];
const FORBIDDEN_WORDS = /\b(blob|dump|payload|helper|util|utils|manager|misc|common)s?\b/i;

const src = join(PROJECT, "src");
const files = sourceFiles(src);
const imports = importsOf(src, files);
const code = new Map(files.map((file) => [file, readFileSync(join(src, file), "utf8")]));

const partOf = (file: string) => file.split("/")[0] ?? "";
const rankOf = (file: string) => ORDER.findIndex((parts) => parts.includes(partOf(file)));
const say = ({ file, target }: ModuleImport) => `${file} imports ${target}`;

describe("the walker", () => {
  const graph = (sources: Readonly<Record<string, string>>) =>
    Object.entries(sources).flatMap(([file, text]) => importsIn(file, text));

  it("tells values from types, and sees imports inside functions", () => {
    const text = [
      'import type { A } from "./a.ts";',
      'import { type B, type C } from "./b.ts";',
      'import { type D, e } from "./d.ts";',
      'import "./effect.ts";',
      'export type * from "./f.ts";',
      'export { type G } from "./g.ts";',
      'export * from "./h.ts";',
      'const later = () => import("../later.ts") as Promise<import("./i.ts").I>;',
      'import zod from "zod";',
    ].join("\n");
    const found = importsIn("room/file.ts", text);
    expect(found.filter(({ value }) => value).map(({ target }) => target)).toEqual([
      "room/d.ts",
      "room/effect.ts",
      "room/h.ts",
      "later.ts",
      "zod",
    ]);
    expect(found.filter(({ value }) => !value).map(({ target }) => target)).toEqual([
      "room/a.ts",
      "room/b.ts",
      "room/f.ts",
      "room/g.ts",
      "room/i.ts",
    ]);
  });

  it("finds cycles of any length between files and between folders, and no others", () => {
    const files = graph({
      "a.ts": 'import { b } from "./b.ts";',
      "b.ts": 'export { c } from "./c.ts";',
      "c.ts": 'void import("./a.ts"); import "./d.ts";',
      "d.ts": 'import type { a } from "./a.ts";',
    });
    expect(findCycles(files)).toEqual([["a.ts", "b.ts", "c.ts"]]);
    const rooms = graph({
      "x/deep/a.ts": 'import { b } from "../../y/b.ts";',
      "y/b.ts": "",
      "y/c.ts": 'import { d } from "../x/d.ts";',
      "x/d.ts": "",
    });
    expect(findCycles(rooms)).toEqual([]);
    expect(findCycles(amongNeighbours(rooms))).toEqual([["x", "y"]]);
  });
});

describe("imports", () => {
  it("are found, of parts that have their place", () => {
    expect(files.length).toBeGreaterThan(100);
    expect(imports.length).toBeGreaterThan(files.length);
    expect(files.filter((file) => rankOf(file) === -1)).toEqual([]);
  });

  it("go downwards only", () => {
    const local = imports.filter((one) => !one.package && !one.target.startsWith(".."));
    expect(local.filter(({ file, target }) => rankOf(target) > rankOf(file)).map(say)).toEqual([]);
  });

  it("name files that exist, with their extension", () => {
    const local = imports.filter((one) => !one.package && !one.target.startsWith(".."));
    expect(local.filter(({ target }) => !files.includes(target)).map(say)).toEqual([]);
  });

  it("form no cycle of values between files", () => {
    expect(findCycles(imports)).toEqual([]);
  });

  it("form no cycle of values between the files and folders of a folder", () => {
    expect(findCycles(amongNeighbours(imports))).toEqual([]);
  });

  it("never cross from one integration to another", () => {
    const integration = (file: string) => /^integrations\/([^/]+)\//.exec(file)?.[1];
    const crossing = imports.filter(({ file, target, package: external }) => {
      const [from, to] = [integration(file), external ? undefined : integration(target)];
      return from !== undefined && to !== undefined && from !== to && to !== "mcp-shared";
    });
    expect(crossing.map(say)).toEqual([]);
  });

  it("never leave the room of bytes, which lies below everything", () => {
    const bytes = imports.filter(({ file }) => partOf(file) === "bytes");
    expect(bytes.length).toBeGreaterThan(0);
    expect(bytes.filter(({ target }) => partOf(target) !== "bytes").map(say)).toEqual([]);
  });

  it("keep previews, questions and redaction pure: no module of Node's", () => {
    const impure = imports.filter(
      (one) => one.package && /^(bytes|redact|preview|query|limits\/(types|check|defaults))/.test(one.file),
    );
    expect(impure.filter(({ target }) => target.startsWith("node:")).map(say)).toEqual([]);
  });

  it("lead to ripgrep from one place", () => {
    const users = imports.filter(({ target }) => target === "@vscode/ripgrep");
    expect(users.map(({ file }) => file)).toEqual(["process/ripgrep.ts"]);
  });

  it("take only packages that are installed with it or bundled", () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(PROJECT, "package.json"), "utf8"));
    const nameOf = (target: string) => target.split("/", target.startsWith("@") ? 2 : 1).join("/");
    const packages = imports.filter((one) => one.package && !one.target.startsWith("node:"));
    expect(
      packages.filter(({ target }) => ({ ...dependencies, ...devDependencies })[nameOf(target)] === undefined).map(say),
    ).toEqual([]);
  });
});

/** Files outside a folder whose code holds something. */
const outside = (folder: string, pattern: RegExp) =>
  files.filter((file) => !file.startsWith(folder) && pattern.test(code.get(file) ?? ""));

describe("the one boundary", () => {
  it("is the only place where wrappers are written", () => {
    expect(outside("gate/render/", /_openagentic_truncated|tool_output_too_large/)).toEqual([]);
    expect(outside("gate/render/", /\.\.\.(wrap|renderWrapper|wrapper)\b/)).toEqual([]);
  });

  it("is the only place where the blocks and notices of MCP results are written", () => {
    const written =
      /\btype: "(text|resource_link)",|\bdata: [\w.]+, mimeType\b|\[spillway(:| \$)|"spillway\/truncation"|over the limit and not shown/;
    const mcp = outside("gate/render/", written).filter((file) => /^integrations\/mcp/.test(file));
    expect(mcp).toEqual([]);
  });

  it("is the only place where what leaves it is made or changed", () => {
    const users = imports.filter(({ target }) => target === "gate/types.ts").map(({ file }) => file);
    const made = outside("gate/", /\bkind: "(bounded|whole)"|\.\.\.governed(?![\w.])/);
    expect(made.filter((file) => users.includes(file))).toEqual([]);
  });

  it("is the only place where artifacts are created", () => {
    expect(outside("gate/", /[sS]tore(\(\))?\)?\.create\(/).filter((file) => !file.startsWith("artifacts/"))).toEqual(
      [],
    );
  });
});

describe("source files", () => {
  it("ask which platform this is in one folder alone", () => {
    expect(outside("platform/", /process\.platform|os\.platform\(/)).toEqual([]);
  });

  it("have no default export", () => {
    expect(files.filter((file) => /^export default\b|\bas default\b/m.test(code.get(file) ?? ""))).toEqual([]);
  });

  it("avoid the words that say nothing, in their names and exports", () => {
    const named = files.filter((file) => FORBIDDEN_WORDS.test(file.replaceAll(/[/.-]/g, " ")));
    const exported = files.flatMap((file) =>
      [...(code.get(file) ?? "").matchAll(/^export (?:async )?(?:function\*?|class|const|interface|type) (\w+)/gm)]
        .map(([, name = ""]) => name)
        .filter((name) => FORBIDDEN_WORDS.test(name.replaceAll(/([a-z])([A-Z])/g, "$1 $2").replaceAll("_", " ")))
        .map((name) => `${file} exports ${name}`),
    );
    expect([...named, ...exported]).toEqual([]);
  });

  it("are named in kebab-case", () => {
    expect(files.filter((file) => !/^([a-z0-9]+(-[a-z0-9]+)*\/)*[a-z0-9]+(-[a-z0-9]+)*\.ts$/.test(file))).toEqual([]);
  });
});
