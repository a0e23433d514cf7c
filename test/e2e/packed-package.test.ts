import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { builtPackage, PROJECT } from "../support/build.ts";
import { temporaryFolder } from "../support/folder.ts";

const app = temporaryFolder("e2e");
const modules = join(app, "node_modules");

/** Packs the built package, unpacks it into an application, and links its dependencies, since there may be no network. */
beforeAll(async () => {
  const staging = temporaryFolder("pack");
  const { folder } = await builtPackage();
  cpSync(folder, staging, { recursive: true });
  for (const name of ["README.md", "LICENSE", "CHANGELOG.md", "docs", "examples"])
    if (existsSync(join(PROJECT, name))) cpSync(join(PROJECT, name), join(staging, name), { recursive: true });
  const packed = execFileSync("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", app], {
    cwd: staging,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [{ filename }] = JSON.parse(packed);
  mkdirSync(join(modules, "spillway"), { recursive: true });
  execFileSync("tar", ["-xzf", join(app, filename), "-C", join(modules, "spillway"), "--strip-components=1"]);
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(PROJECT, "package.json"), "utf8"));
  for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
    mkdirSync(join(modules, name, ".."), { recursive: true });
    symlinkSync(join(PROJECT, "node_modules", name), join(modules, name));
  }
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

  it("weighs what it should: one dependency, one peer that everyone needs, the licences of what is bundled", () => {
    const packed = JSON.parse(readFileSync(join(modules, "spillway/package.json"), "utf8"));
    expect(Object.keys(packed.dependencies)).toEqual(["@vscode/ripgrep"]);
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

  it("maps a repository, reads a page and counts tokens with what is bundled", async () => {
    mkdirSync(join(app, "shop"));
    writeFileSync(join(app, "shop", "basket.py"), "class Basket:\n    def add(self, item):\n        return item\n");
    expect(spillway("tool", "RepoMap", JSON.stringify({ path: "shop" }))).toContain("class Basket");
    expect(spillway("run", "--max-tokens", "300", "--", "seq", "1", "9000")).toContain("9000");
  });

  it("runs a command, saves its output and reads it back", () => {
    const out = spillway("run", "--call-id", "call_1", "--", "seq", "1", "100000");
    expect(Buffer.byteLength(out)).toBeLessThanOrEqual(51_200);
    expect(spillway("artifacts", "read", "call_1", "--offset", "54321", "--limit", "1")).toContain("54321");
    expect(spillway("artifacts", "verify", "call_1")).toMatch(/ok/i);
    expect(spillway("stats")).toContain("seq");
  });

  it("answers to every fixed name by its subpath", () => {
    const out = runScript(`
      import { createSpillway, ObservationTruncator, Tool, Truncate } from "spillway";
      import { preview } from "spillway/preview";
      import { validateToolResponse } from "spillway/protocol";
      import { createMemoryStore } from "spillway/artifacts";
      const text = Array.from({ length: 3000 }, (_, index) => "line " + index).join("\\n");
      const bounded = await Truncate.output(text);
      const response = { status: "success", data: { content: text }, text: "", stats: { time_ms: 1 }, context: { cwd: ".", params_input: {} } };
      const truncated = await new ObservationTruncator({ root: process.cwd() }).truncate("Read", response);
      const governed = await createSpillway({ store: createMemoryStore() }).govern(text);
      console.log(JSON.stringify([
        bounded.truncated, preview(text).truncated, validateToolResponse(truncated), truncated.status, governed.kind, typeof Tool.define,
      ]));
    `);
    expect(JSON.parse(out)).toEqual([true, true, { ok: true }, "partial", "bounded", "function"]);
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
