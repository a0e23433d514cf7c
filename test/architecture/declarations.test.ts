import { execFile } from "node:child_process";
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "tsdown";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import config from "../../tsdown.config.ts";
import { PROJECT } from "../support/build.ts";

// Below node_modules, so that the packages which the declarations name resolve.
const folder = join(PROJECT, "node_modules", ".cache", `declarations-${process.pid}`);
const packageFolder = join(folder, "spillway");

beforeAll(async () => {
  mkdirSync(join(folder, "user", "node_modules"), { recursive: true });
  await build({ ...config, cwd: PROJECT, config: false, outDir: join(packageFolder, "dist"), logLevel: "error" });
  cpSync(join(PROJECT, "package.json"), join(packageFolder, "package.json"));
  symlinkSync(packageFolder, join(folder, "user", "node_modules", "spillway"));
}, 240_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const USER = `
import { ObservationTruncator, Tool, Truncate, createSpillway } from "spillway";
import { createAgent } from "spillway/agent";
import { createLocalStore } from "spillway/artifacts";
import { startProxy } from "spillway/mcp";
import { preview } from "spillway/preview";
import { toolResponseSchema, validateToolResponse } from "spillway/protocol";
import { loadTokenizer } from "spillway/tokenizer";
import { defineTool } from "spillway/tools";

const path: string | null = await Truncate.output("x").then((result) => (result.truncated ? result.outputPath : null));
const text: string = preview("x", { maxLines: 1 }).text;
// @ts-expect-error a preview has no such field
const missing: string = preview("x").content;
// @ts-expect-error a gate needs a folder's name
const gate: unknown = createSpillway({ root: 1 });
const status: "success" | "partial" | "error" = (await new ObservationTruncator({ root: "." }).truncate("Read", {})).status;
const count: (text: string) => number = await loadTokenizer();
export { Tool, count, gate, missing, createAgent, createLocalStore, createSpillway, defineTool, path, startProxy, status, text };
export { toolResponseSchema, validateToolResponse };
`;

/** What the compiler says of a user's file. */
async function compile(source: string): Promise<string> {
  const user = join(folder, "user");
  writeFileSync(join(user, "package.json"), '{ "type": "module" }');
  writeFileSync(join(user, "user.ts"), source);
  const flags = "--ignoreConfig --noEmit --skipLibCheck --strict --module nodenext --target es2022 --types node".split(
    " ",
  );
  const tsc = join(PROJECT, "node_modules", "typescript", "bin", "tsc");
  return promisify(execFile)(process.execPath, [tsc, ...flags, "user.ts"], { cwd: user }).then(
    () => "",
    (failed: { stdout: string }) => failed.stdout,
  );
}

describe("the type declarations of the package", () => {
  it("know the fixed names in every entry, as types and not as any", async () => {
    expect(await compile(USER)).toBe("");
  }, 240_000);
});
