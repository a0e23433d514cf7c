import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { readThenSearch, startScript } from "../frameworks/scripted-model.ts";
import { blocksOf, readPage } from "../snippets/blocks.ts";
import { describePage } from "../snippets/describe-page.ts";
import { PROJECT } from "../support/build.ts";
import { temporaryFolder } from "../support/folder.ts";
import { installPackage, packPackage, userEnvironment } from "../support/installed-package.ts";

// What a stranger reads first, done as it is written: in an empty project with the packed package and npm's own npx.
const packed = temporaryFolder("pages-pack");
let tarball: Promise<string> | undefined;

async function install(app: string) {
  tarball ??= packPackage(packed);
  return installPackage(app, await tarball);
}

for (const page of ["README.md", "docs/getting-started.md"]) describePage(page, install);

/**
 * Pages whose frameworks are not installed here: their lines are run with the real packages by `npm run test:frameworks`,
 * with the packed package too. Here each name that they import must be there.
 */
const ELSEWHERE = ["adk", "claude-agent-sdk", "langchain", "mastra", "openai-agents", "strands"];

/** The reader's own code: what `./agent.js` exports to the lines of a page. */
const AGENTS: Readonly<Record<string, string>> = {
  messages: `
    const ask = (path) => async (body) => {
      const headers = { "content-type": "application/json" };
      const answer = await fetch(process.env.MODEL_URL + path, { method: "POST", headers, body: JSON.stringify(body) });
      return answer.json();
    };
    export const openai = { chat: { completions: { create: ask("/v1/chat/completions") } } };
    export const anthropic = { messages: { create: ask("/v1/messages") } };
    export const messages = [{ role: "user", content: "Why does the build fail?" }];
    export const conversation = [{ role: "user", content: "Why does the build fail?" }];
    export const tools = [{ type: "function", function: { name: "build_log", description: "The log.", parameters: { type: "object" } } }];
    export const definitions = [{ name: "build_log", description: "The log.", input_schema: { type: "object" } }];
    export const runTool = async () => LOG;`,
  "ai-sdk": `
    import { createAnthropic } from "@ai-sdk/anthropic";
    import { jsonSchema, tool } from "ai";
    export const model = createAnthropic({ baseURL: process.env.MODEL_URL + "/v1", apiKey: "none" })("scripted");
    const inputSchema = jsonSchema({ type: "object", properties: {} });
    export const tools = { build_log: tool({ description: "The log.", inputSchema, execute: async () => LOG }) };
    export const messages = [{ role: "user", content: "Why does the build fail?" }];`,
};
/** What a reader of these pages has installed beside Spillway; this repository has it to build with. */
const PEERS: Readonly<Record<string, readonly string[]>> = { messages: [], "ai-sdk": ["ai", "@ai-sdk/anthropic"] };

describe("the pages of frameworks, in an empty project", () => {
  const home = temporaryFolder("framework-pages");
  const app = join(home, "app");

  beforeAll(async () => {
    mkdirSync(app);
    writeFileSync(join(app, "package.json"), '{ "private": true, "type": "module" }');
    await install(app);
  });

  const scriptsOf = (page: string) =>
    blocksOf(readPage(`docs/frameworks/${page}.md`)).filter(({ language }) => language === "js");

  it("are all tried, here or with the real packages", () => {
    const pages = readdirSync(join(PROJECT, "docs/frameworks")).map((name) => name.replace(".md", ""));
    expect([...Object.keys(AGENTS), ...ELSEWHERE].sort()).toEqual(pages.sort());
  });

  it.each(Object.keys(AGENTS))("%s runs as it stands", async (page) => {
    for (const name of PEERS[page] ?? []) {
      mkdirSync(dirname(join(app, "node_modules", name)), { recursive: true });
      symlinkSync(join(PROJECT, "node_modules", name), join(app, "node_modules", name));
    }
    writeFileSync(join(app, "agent.js"), `import { LOG } from "./log.js";\n${AGENTS[page]}`);
    writeFileSync(join(app, "log.js"), readFileSync(join(PROJECT, "test/frameworks/agents/log.js")));
    const { LOG } = (await import(join(app, "log.js"))) as { LOG: string };
    for (const { source } of scriptsOf(page)) {
      const model = await startScript(readThenSearch());
      writeFileSync(join(app, "page.js"), source);
      const env = { ...userEnvironment(home), MODEL_URL: model.url };
      await promisify(execFile)(process.execPath, ["page.js"], { cwd: app, env });
      model.close();
      // A block that only makes something calls no model.
      if (!/\bawait\b/.test(source)) continue;
      const [log, read] = model.seen();
      expect(log!.text.includes("error TS2345") && log!.text.length < LOG.length / 10).toBe(true);
      expect(read!.text).toContain("21001:src/net.ts(812,9): error TS2345");
    }
  });

  it.each(ELSEWHERE)("%s imports what is there", async (page) => {
    const imported = scriptsOf(page).flatMap(({ source }) => [
      ...source.matchAll(/^import \{ ([^}]+) \} from "(spillway[^"]*)";$/gm),
    ]);
    expect(imported.length).toBeGreaterThan(0);
    const lines = imported.flatMap(([, names = "", entry]) =>
      names.split(", ").map((name) => `if (typeof (await import("${entry}")).${name} !== "function") throw "${name}";`),
    );
    writeFileSync(join(app, "imports.js"), lines.join("\n"));
    await promisify(execFile)(process.execPath, ["imports.js"], { cwd: app, env: userEnvironment(home) });
  });
});
