import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "tsdown";
import ts from "typescript";
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

/** The examples of the `Truncate` module's design, as their author would write them. */
const DESIGN = `
import { Tool, Truncate } from "spillway";
import { z } from "zod";

declare function searchFiles(pattern: string, path: string): Promise<string[]>;
declare function readLogs(service: string): Promise<string>;
declare const errorStack: string;
const logger = { info(message: string): void {} };

export async function basic(text: string): Promise<{ output: string; metadata: Record<string, unknown> }> {
  const result: Truncate.Result = await Truncate.output(text);
  const few = await Truncate.output(text, { maxLines: 500, maxBytes: 10 * 1024 });
  const tail = await Truncate.output(errorStack, { direction: "tail", maxLines: 100 });
  const options: Truncate.Options = { maxLines: few.content.length, direction: tail.truncated ? "head" : "tail" };
  await Truncate.output(text, options, { permission: [{ permission: "task", pattern: "*", action: "deny" }] });
  if (result.truncated) {
    logger.info(\`saved to: \${result.outputPath}\`);
    return { output: result.content, metadata: { truncated: true, fullOutputPath: result.outputPath } };
  }
  // @ts-expect-error there is no path in this branch
  const path = result.outputPath;
  return { output: result.content, metadata: { path } };
}

export const GrepTool = Tool.define("grep", {
  description: "Searches files",
  parameters: z.object({ pattern: z.string(), path: z.string() }),
  async execute(args, ctx) {
    const matches = await searchFiles(args.pattern, args.path);
    return { title: \`Results: \${args.pattern}\`, output: matches.join("\\n"), metadata: { matchCount: matches.length } };
  },
});

export const LogTool = Tool.define("logs", {
  description: "Shows logs",
  parameters: z.object({ service: z.string(), lines: z.number().optional() }),
  async execute(args, ctx) {
    const logs = await readLogs(args.service);
    const result = await Truncate.output(logs, { direction: "tail", maxLines: args.lines ?? 500 }, ctx.extra?.agent);
    return {
      title: \`\${args.service} logs\`,
      output: result.content,
      metadata: { truncated: result.truncated, logPath: result.truncated ? result.outputPath : undefined },
    };
  },
});

export const Lazy = Tool.define("lazy", async (initCtx) => ({
  description: initCtx?.agent ? "for an agent" : "for anybody",
  parameters: z.object({ query: z.string() }),
  async execute({ query }, ctx) {
    return { title: query, output: String(ctx.callID), metadata: {} };
  },
}));

const ready = await LogTool.init({ agent: { permission: [] } });
const { title, output, metadata } = await ready.execute({ service: "web" }, { extra: {} });
export const said: string = title + output + String(metadata.truncated) + Truncate.DIR + Truncate.GLOB;
export const limits: number = Truncate.MAX_LINES + Truncate.MAX_BYTES;
export const info: Tool.Info<{ service: string; lines?: number | undefined }> = LogTool;
await Truncate.cleanup();
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

  it("hold what the examples of the Truncate module's design need", async () => {
    expect(await compile(DESIGN, "nodenext", "nodenext")).toBe("");
  }, 240_000);
});

describe("the options of the package, as an editor completes them", () => {
  it("have a sentence each, and none that only Spillway's own modules set", () => {
    const files = Object.values(exports as Readonly<Record<string, { readonly types?: string }>>).flatMap(
      ({ types }) => (types === undefined ? [] : join(packages, "spillway", types)),
    );
    const program = ts.createProgram(files, { module: ts.ModuleKind.NodeNext, skipLibCheck: true, strict: true });
    const checker = program.getTypeChecker();
    const silent = new Set<string>();
    const inner = /^(?:adopt|savedAs|saved|counted|markers|toolLimits|aliases|redacted|defaultDir)$/;
    for (const file of files) {
      const source = program.getSourceFile(file);
      const module = source && checker.getSymbolAtLocation(source);
      if (module === undefined) throw new Error(`${file} exports nothing.`);
      for (const exported of checker.getExportsOfModule(module)) {
        const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
        const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
        if (!/Options$/.test(exported.name) || (symbol.flags & ts.SymbolFlags.Type) === 0) continue;
        for (const property of checker.getDeclaredTypeOfSymbol(symbol).getProperties()) {
          const said = ts.displayPartsToString(property.getDocumentationComment(checker));
          const isInner = /^(?:Govern|Spillway|Exec|GovernProcess|TruncateResponse|ObservationTruncator)/.test(
            exported.name,
          );
          if (!/\w{2,} \w+/.test(said) || (isInner && inner.test(property.name)))
            silent.add(`${exported.name}.${property.name}`);
        }
      }
    }
    expect([...silent].sort()).toEqual([]);
  });
});
