import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { PROJECT } from "../support/build.ts";

/** Lowest first: a part may import from itself and from those before it. */
const ORDER = [
  ["errors.ts", "version.ts"],
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
  ["cli", "index.ts"],
];
const FORBIDDEN_WORDS = /\b(blob|dump|payload|helper|util|utils|manager|misc|common)s?\b/i;
const IMPORT = /(?:^(?:import|export)\b[^";]*?\bfrom |^import |\bimport\()"(?:(\.[^"]+)|([^"]+))"/gm;

const src = join(PROJECT, "src");
const files = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => name.replaceAll("\\", "/"));

interface Import {
  readonly file: string;
  readonly target: string;
  readonly package: boolean;
}

const imports: Import[] = files.flatMap((file) =>
  [...readFileSync(join(src, file), "utf8").matchAll(IMPORT)].map(([, local, external]) =>
    local === undefined
      ? { file, target: external ?? "", package: true }
      : { file, target: relative(src, resolve(join(src, file), "..", local)).replaceAll("\\", "/"), package: false },
  ),
);

const partOf = (file: string) => file.split("/")[0] ?? "";
const rankOf = (file: string) => ORDER.findIndex((parts) => parts.includes(partOf(file)));
const say = ({ file, target }: Import) => `${file} imports ${target}`;

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

  it("never cross from one integration to another", () => {
    const integration = (file: string) => /^integrations\/([^/]+)\//.exec(file)?.[1];
    const crossing = imports.filter(({ file, target, package: external }) => {
      const [from, to] = [integration(file), external ? undefined : integration(target)];
      return from !== undefined && to !== undefined && from !== to && to !== "mcp-shared";
    });
    expect(crossing.map(say)).toEqual([]);
  });

  it("keep previews and questions pure: no module of Node's", () => {
    const impure = imports.filter(
      (one) => one.package && /^(preview|query|limits\/(types|check|defaults))/.test(one.file),
    );
    expect(impure.filter(({ target }) => target.startsWith("node:")).map(say)).toEqual([]);
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

describe("source files", () => {
  it("have no default export", () => {
    const code = (file: string) => readFileSync(join(src, file), "utf8");
    expect(files.filter((file) => /^export default\b|\bas default\b/m.test(code(file)))).toEqual([]);
  });

  it("avoid the words that say nothing, in their names and exports", () => {
    const named = files.filter((file) => FORBIDDEN_WORDS.test(file.replaceAll(/[/.-]/g, " ")));
    const exported = files.flatMap((file) =>
      [
        ...readFileSync(join(src, file), "utf8").matchAll(
          /^export (?:async )?(?:function\*?|class|const|interface|type) (\w+)/gm,
        ),
      ]
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
