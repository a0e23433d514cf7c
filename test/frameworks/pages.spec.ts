import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { PROJECT } from "../support/build.ts";
import { temporaryFolder } from "../support/folder.ts";
import { installPackage, packPackage } from "../support/installed-package.ts";
import { LOG } from "./agents/log.js";
import { readThenSearch, startScript } from "./scripted-model.ts";

const run = promisify(execFile);
const HERE = join(PROJECT, "test/frameworks");
const PAGES = join(PROJECT, "docs/frameworks");
/** The most that a model is sent of one result where nobody says a limit. */
const MAX_BYTES = 51_200;

/** Projects of users: pages that are tried, and packages that stand for another one of the pins. */
const PROJECTS = [
  { name: "the newest versions", pages: readdirSync(PAGES).map((name) => name.replace(".md", "")), instead: {} },
  { name: "AI SDK 6", pages: ["ai-sdk"], instead: { ai: "ai-6", "@ai-sdk/anthropic": "anthropic-6" } },
];

/** How a framework calls tools towards the model, where not by their own names. */
const NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "claude-agent-sdk": { build_log: "mcp__own__build_log", spillway_read: "mcp__spillway__spillway_read" },
};

describe.each(PROJECTS)("the pages of frameworks, with $name", ({ pages, instead }) => {
  const project = temporaryFolder("pages");

  beforeAll(async () => {
    await prepare(project, instead);
    for (const page of pages) {
      const folder = join(project, page);
      mkdirSync(folder);
      cpSync(join(HERE, "agents", `${page}.js`), join(folder, "agent.js"));
      cpSync(join(HERE, "agents/log.js"), join(folder, "log.js"));
      for (const [at, block] of blocksOf(page).entries()) writeFileSync(join(folder, `page-${at}.js`), block);
    }
  });

  it.each(pages)("%s has ten lines to copy, or a whole loop", (page) => {
    expect(blocksOf(page).length).toBeGreaterThan(0);
    expect(blocksOf(page)[0]!.trim().split("\n").length).toBeLessThanOrEqual(page === "messages" ? 16 : 10);
  });

  it.each(pages)("%s runs as it stands: bounded results, the full output saved, the reader used", async (page) => {
    const cwd = join(project, page);
    for (const at of blocksOf(page).keys()) {
      const model = await startScript(readThenSearch((tool) => NAMES[page]?.[tool] ?? tool));
      const env = { ...process.env, MODEL_URL: model.url, HOME: project };
      await run(process.execPath, [`page-${at}.js`], { cwd, env, maxBuffer: 1e9 });
      model.close();
      // A block that only makes something calls no model.
      if (at > 0 && model.requests.length === 0) continue;
      const [log, read] = model.seen();
      expect(log!.text).toContain("error TS2345");
      expect(Buffer.byteLength(log!.text)).toBeLessThanOrEqual(MAX_BYTES);
      expect(read!.text).toContain("21001:src/net.ts(812,9): error TS2345");
    }
    const folder = join(cwd, ".agents/tool-output");
    const saved = readdirSync(folder).filter((name) => name.startsWith("tool_"));
    expect(saved.length).toBeGreaterThan(0);
    for (const name of saved) expect(readFileSync(join(folder, name), "utf8") === LOG).toBe(true);
  });

  it("are right by the frameworks' own types", async () => {
    const tsc = join(PROJECT, "node_modules/typescript/bin/tsc");
    const { stdout } = await run(process.execPath, [tsc, "-p", project]).catch((failed: { stdout: string }) => failed);
    expect(stdout).toBe("");
  });
});

function blocksOf(page: string): readonly string[] {
  const text = readFileSync(join(PAGES, `${page}.md`), "utf8");
  return [...text.matchAll(/^```js\n(.*?)^```/gms)].map(([, code = ""]) => code);
}

/** A project that has the packed package and the frameworks. */
async function prepare(folder: string, instead: Readonly<Record<string, string>>): Promise<void> {
  const { dependencies } = JSON.parse(readFileSync(join(HERE, "package.json"), "utf8"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  await installPackage(folder, await packPackage(join(folder, "packed")));
  const link = (name: string, target: string) => {
    const place = join(folder, "node_modules", name);
    mkdirSync(dirname(place), { recursive: true });
    rmSync(place, { recursive: true, force: true }); // one copy of what Spillway and the frameworks both need
    symlinkSync(target, place);
  };
  for (const name of Object.keys(dependencies)) link(name, join(HERE, "node_modules", instead[name] ?? name));
  link("@types/node", join(PROJECT, "node_modules/@types/node"));
  const { compilerOptions } = JSON.parse(readFileSync(join(PROJECT, "tsconfig.json"), "utf8"));
  const options = {
    ...compilerOptions,
    lib: ["ES2024", "DOM", "DOM.AsyncIterable"],
    incremental: false,
    tsBuildInfoFile: undefined,
    allowJs: true,
    checkJs: true,
    paths: {
      spillway: [join(PROJECT, "src/index.ts")],
      "spillway/*": [join(PROJECT, "src/integrations/frameworks/*.ts")],
    },
  };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: options, include: ["*/page-*.js", "*/agent.js"] }),
  );
}
