import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import * as esbuild from "esbuild-wasm";
import { rolldown } from "rolldown";
import { beforeAll, describe, expect, it } from "vitest";
import { builtPackage } from "../support/build.ts";
import { temporaryFolder } from "../support/folder.ts";

// One output of each part that Node loads late: a log, another shape, and a limit in tokens.
const PROGRAM = `import { preview } from "spillway/preview";
const log = Array.from({ length: 4000 }, (_, n) => "step " + n + (n === 2345 ? " ERROR: the disk is full" : " ok"));
const items = Array.from({ length: 3000 }, (_, n) => ({ id: n, state: n === 1234 ? "broken" : "fine" }));
const shown = preview(log.join("\\n"), { strategy: "smart", maxBytes: 2000 });
const other = preview(JSON.stringify(items), { strategy: "smart", maxTokens: 500 });
console.log(shown.text.includes("the disk is full"), other.shape, other.text.includes("broken"));
`;
const SAID = "true json true\n";

const app = temporaryFolder("bundled");
const program = join(app, "program.mjs");

beforeAll(async () => {
  const { folder } = await builtPackage();
  mkdirSync(join(app, "node_modules"));
  symlinkSync(folder, join(app, "node_modules", "spillway"));
  writeFileSync(program, PROGRAM);
});

/** Runs one file alone in a folder of its own. */
function runAlone(code: string, name: string): string {
  const file = join(temporaryFolder("alone"), name);
  writeFileSync(file, code);
  return execFileSync(process.execPath, [file], { encoding: "utf8" });
}

async function byEsbuild(options: esbuild.BuildOptions): Promise<string> {
  const { outputFiles } = await esbuild.build({
    entryPoints: [program],
    bundle: true,
    write: false,
    logLevel: "error",
    ...options,
  });
  expect(outputFiles).toHaveLength(1);
  return outputFiles?.[0]?.text ?? "";
}

async function byRolldown(platform: "node" | "browser", conditionNames?: string[]): Promise<string> {
  const bundle = await rolldown({ input: program, platform, ...(conditionNames && { resolve: { conditionNames } }) });
  const { output } = await bundle.generate({ format: "esm" });
  expect(output).toHaveLength(1);
  return output[0].code;
}

describe("a program with spillway/preview, bundled into one file that runs alone", () => {
  it("is whole by default", async () => {
    for (const format of ["esm", "cjs"] as const) {
      const code = await byEsbuild({ platform: "node", format });
      expect(code).not.toContain("late-smart.cjs");
      expect(runAlone(code, format === "esm" ? "program.mjs" : "program.cjs")).toBe(SAID);
    }
    expect(runAlone(await byRolldown("node"), "program.mjs")).toBe(SAID);
  });

  it("is whole where the bundler takes what Node would take", async () => {
    for (const format of ["esm", "cjs"] as const) {
      const code = await byEsbuild({ platform: "node", format, conditions: ["production"] });
      expect(code).toContain("late-smart.cjs");
      expect(runAlone(code, format === "esm" ? "program.mjs" : "program.cjs")).toBe(SAID);
    }
    const code = await byRolldown("node", ["node", "import"]);
    expect(code).toContain("late-smart.cjs");
    expect(runAlone(code, "program.mjs")).toBe(SAID);
  });

  it("asks nothing of Node in a browser", async () => {
    const bundles = [await byEsbuild({ platform: "browser", format: "esm" }), await byRolldown("browser")];
    for (const code of bundles) {
      const said: unknown[] = [];
      const browser = {
        TextEncoder,
        TextDecoder,
        atob,
        console: { log: (...words: unknown[]) => said.push(words.join(" ")) },
      };
      runInContext(`(() => {${code}})()`, createContext(browser));
      expect(`${said.join("\n")}\n`).toBe(SAID);
    }
  });
});
