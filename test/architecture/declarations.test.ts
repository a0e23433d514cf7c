import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "tsdown";
import { beforeAll, describe, expect, it } from "vitest";
import { modules } from "../../tsdown.config.ts";
import { PROJECT } from "../support/build.ts";
import { temporaryFolder } from "../support/folder.ts";

const user = temporaryFolder("declarations");
const packages = join(user, "node_modules");
const { exports, peerDependencies } = JSON.parse(readFileSync(join(PROJECT, "package.json"), "utf8"));

/** A user's project with the packed package, its peers and the types of Node, and nothing else. */
beforeAll(async () => {
  const staging = temporaryFolder("declarations-pack");
  await build({ ...modules, cwd: PROJECT, config: false, outDir: join(staging, "dist"), logLevel: "error" });
  for (const name of ["package.json", "bin"]) cpSync(join(PROJECT, name), join(staging, name), { recursive: true });
  const pack = ["pack", "--ignore-scripts", "--json", "--pack-destination", user];
  const [{ filename }] = JSON.parse(
    execFileSync("npm", pack, { cwd: staging, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
  );
  mkdirSync(join(packages, "spillway"), { recursive: true });
  execFileSync("tar", ["-xzf", join(user, filename), "-C", join(packages, "spillway"), "--strip-components=1"]);
  mkdirSync(join(packages, "@types"));
  mkdirSync(join(packages, "@opentelemetry"));
  for (const name of [...Object.keys(peerDependencies), "@types/node"])
    symlinkSync(join(PROJECT, "node_modules", name), join(packages, name));
  writeFileSync(join(user, "package.json"), '{ "type": "module" }');
}, 240_000);

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

const RESOLUTIONS: readonly (readonly [module: string, resolution: string])[] = [
  ["nodenext", "nodenext"],
  ["esnext", "bundler"],
];

/** What the compiler says of a user's file, declarations of packages included. */
async function compile(source: string, module: string, resolution: string): Promise<string> {
  writeFileSync(join(user, "user.ts"), source);
  const flags =
    `--ignoreConfig --noEmit --skipLibCheck false --strict --target es2022 --types node --module ${module} --moduleResolution ${resolution}`.split(
      " ",
    );
  const tsc = join(PROJECT, "node_modules", "typescript", "bin", "tsc");
  return promisify(execFile)(process.execPath, [tsc, ...flags, "user.ts"], { cwd: user }).then(
    () => "",
    (failed: { stdout: string }) => failed.stdout,
  );
}

describe("the type declarations of the package", () => {
  it.each(RESOLUTIONS)(
    "know the fixed names and hold in every entry, module %s, resolution %s",
    async (module, resolution) => {
      const entries = Object.keys(exports).filter((entry) => entry !== "./package.json");
      const all = entries.map((entry, at) => `export * as entry${at} from "spillway${entry.slice(1)}";`);
      expect(await compile(`${USER}\n${all.join("\n")}\n`, module, resolution)).toBe("");
    },
    240_000,
  );
});
