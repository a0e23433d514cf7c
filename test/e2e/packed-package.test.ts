import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/folder.ts";
import { installPackage, packPackage } from "../support/installed-package.ts";

const app = temporaryFolder("e2e");
const modules = join(app, "node_modules");

beforeAll(async () => {
  await installPackage(app, await packPackage(temporaryFolder("pack")));
});

const spillway = (...args: string[]) =>
  execFileSync(process.execPath, [join(modules, "spillway/bin/spillway.mjs"), ...args], { cwd: app, encoding: "utf8" });

function runScript(source: string): string {
  writeFileSync(join(app, "script.mjs"), source);
  return execFileSync(process.execPath, ["script.mjs"], { cwd: app, encoding: "utf8" });
}

describe("the packed package", () => {
  it("holds what a user needs and nothing of ours", () => {
    const names = readdirSync(join(modules, "spillway"));
    expect(names).toEqual(expect.arrayContaining(["bin", "dist", "package.json"]));
    expect(names.filter((name) => ["src", "test", "bench", "node_modules", ".ci"].includes(name))).toEqual([]);
  });

  it("weighs what it should: two dependencies, one peer that everyone needs, the licences of what is bundled", () => {
    const packed = JSON.parse(readFileSync(join(modules, "spillway/package.json"), "utf8"));
    expect(Object.keys(packed.dependencies)).toEqual(["@vscode/ripgrep", "node-sqlite3-wasm"]);
    const needed = Object.keys(packed.peerDependencies).filter(
      (name) => !packed.peerDependenciesMeta?.[name]?.optional,
    );
    expect(needed).toEqual(["zod"]);
    const files = readdirSync(join(modules, "spillway"), { recursive: true, encoding: "utf8" });
    const bytes = files.map((name) => statSync(join(modules, "spillway", name)).size).reduce((a, b) => a + b);
    expect(bytes).toBeLessThan(15_000_000);
    const licenses = readFileSync(join(modules, "spillway/dist/THIRD-PARTY-LICENSES.md"), "utf8");
    for (const name of ["commander", "ai", "undici", "@modelcontextprotocol/server", "@vscode/tree-sitter-wasm"])
      expect(licenses).toContain(`\n## ${name} `);
  });

  it.each([5_000, 300_000])("words a proxy's hint as its host says, in every thread: %i lines", (lines) => {
    writeFileSync(
      join(app, "server.mjs"),
      `import { createInterface } from "node:readline";
      const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
      createInterface({ input: process.stdin }).on("line", (line) => {
        const { id, method, params } = JSON.parse(line);
        const { protocolVersion } = params ?? {};
        if (method === "initialize")
          send({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } } });
        else if (method === "tools/call") send({ id, result: { content: [{ type: "text", text: "a row of text\\n".repeat(${lines}) }] } });
        else if (id !== undefined) send({ id, result: { tools: [{ name: "big", inputSchema: { type: "object" } }] } });
      });`,
    );
    const out = runScript(`
      import { createInterface } from "node:readline";
      import { PassThrough } from "node:stream";
      import { startProxy } from "spillway/mcp";
      const input = new PassThrough();
      const output = new PassThrough();
      const hint = ({ shown }) => "ask the librarian about " + shown.size.lines + " lines";
      const upstream = { command: process.execPath, args: ["server.mjs"] };
      const proxy = await startProxy({ upstream, input, output, hint });
      const answers = createInterface({ input: output })[Symbol.asyncIterator]();
      const ask = async (id, method, params) => {
        input.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\\n");
        for (;;) {
          const answer = JSON.parse((await answers.next()).value);
          if (answer.id === id) return answer;
        }
      };
      const clientInfo = { name: "c", version: "1" };
      await ask(1, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
      input.write(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }) + "\\n");
      const { result } = await ask(2, "tools/call", { name: "big", arguments: {} });
      console.log(JSON.stringify(result.content.map(({ text }) => text)));
      await proxy.close();
      process.exit(0);
    `);
    expect(out).toContain(`ask the librarian about ${lines} lines`);
  });

  it("reads a config file, for which it loads its parser", () => {
    writeFileSync(join(app, "spillway.yaml"), "tool_output_limits: {tools: {seq: {max_lines: 20}}}\n");
    expect(spillway("run", "--", "seq", "1", "100").split("\n").length - 1).toBeLessThanOrEqual(20);
    expect(spillway("config", "seq")).toMatch(/^maxLines +20 +file tools\.seq$/m);
  });
});
