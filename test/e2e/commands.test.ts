import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BucketServer, startBucketServer } from "../support/bucket-server.ts";
import { PROJECT } from "../support/build.ts";
import { temporaryFolder } from "../support/folder.ts";
import { type InstalledPackage, installPackage, packPackage, userEnvironment } from "../support/installed-package.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { browse, type OAuthMcpServer, startOAuthMcpServer } from "../support/oauth-mcp-server.ts";

const home = temporaryFolder("commands");
const app = join(home, "app");
let installed: InstalledPackage;
let model: ModelServer;
let bucket: BucketServer;
let guarded: OAuthMcpServer;

beforeAll(async () => {
  installed = await installPackage(app, await packPackage(temporaryFolder("commands-pack")));
  cpSync(join(installed.folder, "examples"), join(app, "examples"), { recursive: true });
  mkdirSync(join(home, ".claude"));
  mkdirSync(join(app, "src"));
  writeFileSync(join(app, "src", "gate.js"), "export function openGate() {}\n");
  writeFileSync(join(app, "server.mjs"), SERVER);
  model = await startModelServer(({ toolResults: [result], system }) => {
    if (/You find things/.test(system)) return { text: "Conclusion: the gate.\nEvidence:\n- src/gate.js:1 openGate" };
    if (result !== undefined) return { text: "TS2345 stops the build." };
    return { calls: [{ id: "call_agent", name: "Bash", input: { command: "node examples/noisy-build.mjs" } }] };
  });
  bucket = await startBucketServer();
  guarded = await startOAuthMcpServer();
});

afterAll(async () => {
  bucket.close();
  await model.close();
  await guarded.close();
});

/** An MCP server with one tool, `big`. */
const SERVER = `import { createInterface } from "node:readline";
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } }),
  "tools/list": () => ({ tools: [{ name: "big", inputSchema: { type: "object" } }] }),
  "tools/call": () => ({ content: [{ type: "text", text: "a row\\n".repeat(5000) + "the last row" }] }),
};
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const result = answers[method]?.(params);
  if (result) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
});
`;

interface Ran {
  readonly code: number | null;
  readonly out: string;
}

interface RunOptions {
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Ends the command once it has printed this. */
  readonly until?: RegExp;
  /** What the person with the browser does with the address of a login. */
  readonly onAddress?: (address: string) => unknown;
}

/** Runs the installed command; both streams come together. */
function spillway(args: readonly string[], { input = "", env = {}, until, onAddress }: RunOptions = {}): Promise<Ran> {
  const child = spawn(process.execPath, [installed.bin, ...args], {
    cwd: app,
    env: { ...userEnvironment(home), ...env },
  });
  let out = "";
  let logins = 0;
  const hear = (text: string) => {
    out += text;
    const address = /Log in here:\n(http\S+)\n/.exec(out)?.[1];
    if (address !== undefined && logins++ === 0) void onAddress?.(address);
    if (until?.test(out)) child.kill();
  };
  child.stdout.setEncoding("utf8").on("data", hear);
  child.stderr.setEncoding("utf8").on("data", hear);
  child.stdin.on("error", () => undefined); // it may end before it reads
  if (until === undefined) child.stdin.end(input);
  else child.stdin.write(input);
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, out })));
}

const MESSAGES = [
  {
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "c", version: "1" } },
  },
  { method: "notifications/initialized" },
];
const spoken = (...more: readonly object[]) =>
  [...MESSAGES, ...more].map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
const calling = (name: string, args = {}) => spoken({ id: 2, method: "tools/call", params: { name, arguments: args } });

const modelFlags = () => ["--model", "openai-compatible/scripted", "--base-url", model.url];
const bucketFlags = () => ["--store", "s3://bucket/agents"];
const inBucket = () => ({
  AWS_ENDPOINT_URL: bucket.url,
  AWS_ACCESS_KEY_ID: "key",
  AWS_SECRET_ACCESS_KEY: "secret",
  AWS_REGION: "us-east-1",
  XDG_CACHE_HOME: join(home, "cache"),
});
const newestOutput = () =>
  readdirSync(join(app, ".agents", "tool-output"))
    .findLast((name) => name.startsWith("tool_"))!
    .match(/0[0-9a-z]{21}/)![0];
const sessionIds = () => readdirSync(join(app, ".agents", "sessions")).filter((name) => name.startsWith("ses_"));

type Case = readonly [command: string, says: RegExp, args: () => readonly string[], options?: () => RunOptions];

/** Every command in the order of a first day, each with what it must say; the exit code is 0. */
const CASES: readonly Case[] = [
  ["doctor", /^ok +ripgrep/m, () => ["doctor"]],
  ["config", /^maxLines +2,?000/m, () => ["config"]],
  ["trust", /nothing|no |none/i, () => ["trust", "--list"]],
  ["completion", /complete/, () => ["completion", "bash"]],
  ["preview", /6000/, () => ["preview", "--max-lines", "9"], () => ({ input: numbers(6000) })],
  [
    "run",
    /Full output saved to: .*\n[\s\S]*artifacts read/,
    () => ["run", "--call-id", "call_1", "--", "seq", "1", "60000"],
  ],
  ["run", /9000/, () => ["run", "--max-tokens", "300", "--", "seq", "1", "9000"]],
  ["pipe", /Full output saved to: .*make_/, () => ["pipe", "--name", "make"], () => ({ input: numbers(9000) })],
  [
    "redact",
    /\[redacted:/,
    () => ["redact"],
    () => ({ input: "export API_TOKEN=ghp_16C7e42F292c6912E7710c838347Ae178B4a\n" }),
  ],
  ["artifacts list", /make/, () => ["artifacts", "list"]],
  ["artifacts info", /sha256/, () => ["artifacts", "info", "call_1"]],
  ["artifacts read", /^54321$/m, () => ["artifacts", "read", "call_1", "--offset", "54321", "--limit", "1"]],
  ["artifacts grep", /54321:54321/, () => ["artifacts", "grep", "54321", "call_1"]],
  ["artifacts search", /8765/, () => ["artifacts", "search", "8765", "latest"]],
  ["artifacts verify", /[1-9] checked, 0 failed/, () => ["artifacts", "verify"]],
  ["explore", /src\/gate.js:1/, () => ["explore", "src", "where is openGate?"]],
  ["explore", /Conclusion: the gate/, () => ["explore", "src", "where is the gate?", ...modelFlags()]],
  ["tool", /"openGate|openGate\(/, () => ["tool", "Grep", '{"pattern":"openGate"}']],
  ["tool", /class Basket/, () => ["tool", "RepoMap", '{"path":"shop"}'], makeShop],
  [
    "agent",
    /^TS2345 stops the build.$/m,
    () => ["agent", "why does the build fail?", "--allow", "bash:node *", ...modelFlags()],
  ],
  ["sessions list", /why does the build fail/, () => ["sessions", "list"]],
  ["sessions show", /call_agent|← Bash/, () => ["sessions", "show", sessionIds().at(-1)!]],
  ["sessions resume", /TS2345/, () => ["sessions", "resume", sessionIds().at(-1)!, "sure?", ...modelFlags()]],
  ["sessions repair", /not damaged|nothing|intact|whole/i, () => ["sessions", "repair", sessionIds().at(-1)!]],
  [
    "proxy",
    /the last row[\s\S]*Complete in artifact/,
    () => ["proxy", "--", process.execPath, "server.mjs"],
    () => ({ input: calling("big"), until: /"id":2/ }),
  ],
  ["mcp", /openGate/, () => ["mcp"], () => ({ input: calling("Grep", { pattern: "openGate" }), until: /"id":2/ })],
  [
    "mcp login",
    /Logged in to/,
    () => ["mcp", "login", guarded.url, "--no-browser"],
    () => ({ env: { DBUS_SESSION_BUS_ADDRESS: "" }, onAddress: (address) => browse(address) }),
  ],
  ["mcp logout", /^Forgot the login/, () => ["mcp", "logout", guarded.url]],
  ["init", /claude-code|Claude Code/, () => ["init", "claude-code", "--yes"]],
  ["shell", /^hello$/m, () => ["shell", "--host", "claude-code", "-c", "echo hello"]],
  ["shell", /Full output saved to/, () => ["shell", "--host", "claude-code", "-c", "seq 1 90000"]],
  [
    "hook",
    /updatedToolOutput[\s\S]*Full output saved to/,
    () => ["hook", "claude-code", "PostToolUse"],
    () => ({ input: JSON.stringify(HOOKED) }),
  ],
  ["init", /removed?|undone/i, () => ["init", "claude-code", "--remove", "--yes"]],
  ["discover", /0|no /i, () => ["discover"]],
  ["stats", /seq/, () => ["stats"]],
  ["ui", /report.html written/, () => ["ui", "--export", "report.html", newestOutput()]],
  ["ui", /http:\/\/127/, () => ["ui", "--no-open"], () => ({ until: /http:\/\/127\S+\n/ })],
  ["store init", /bucket/, () => ["store", "init", ...bucketFlags()], () => ({ env: inBucket() })],
  [
    "run",
    /s3:\/\/bucket\/agents\/tool_/,
    () => ["run", ...bucketFlags(), "--", "seq", "1", "9001"],
    () => ({ env: inBucket() }),
  ],
  [
    "artifacts read",
    /^9001$/m,
    () => ["artifacts", "read", "latest", "--offset", "9001", ...bucketFlags()],
    () => ({ env: inBucket() }),
  ],
  ["store sync", /0|nothing/i, () => ["store", "sync", ...bucketFlags()], () => ({ env: inBucket() })],
  ["artifacts clean", /0|nothing|removed/i, () => ["artifacts", "clean"]],
  ["artifacts rm", /removed|call_1/i, () => ["artifacts", "rm", "call_1"]],
];

const HOOKED = {
  session_id: "s",
  transcript_path: "/dev/null",
  cwd: app,
  hook_event_name: "PostToolUse",
  tool_name: "WebFetch",
  tool_input: { url: "http://example.com", prompt: "p" },
  tool_response: {
    bytes: 9,
    code: 200,
    codeText: "OK",
    result: "a line of the page\n".repeat(9000),
    durationMs: 1,
    url: "u",
  },
  tool_use_id: "toolu_1",
};

function numbers(count: number): string {
  return Array.from({ length: count }, (_, n) => `${n + 1}\n`).join("");
}

function makeShop(): RunOptions {
  mkdirSync(join(app, "shop"));
  writeFileSync(join(app, "shop", "basket.py"), "class Basket:\n    def add(self, item):\n        return item\n");
  return {};
}

describe("every command, installed into an empty project", () => {
  it("installs without a warning", () => {
    if (installed.npmOutput !== undefined) expect(installed.npmOutput).not.toMatch(/spillway@|prepare|deprecated|ERR/);
  });

  for (const [command, says, args, options] of CASES)
    it(`${command} says ${says}`, async () => {
      const ran = await spillway(args(), options?.());
      expect(says.test(ran.out) || ran.out.slice(-2_000)).toBe(true);
      expect([0, null]).toContain(ran.code);
    });

  it("is tried, or at least explains itself", async () => {
    const tried = new Set(CASES.map(([command]) => command));
    for (const command of (await commandsOf([])).filter((name) => !tried.has(name))) {
      const ran = await spillway([...command.split(" "), "--help"]);
      expect(ran).toMatchObject({ code: 0, out: expect.stringContaining(`Usage: spillway ${command}`) });
    }
  });

  it("runs from a clone by npx as it is built, without another build", () => {
    const built = join(PROJECT, "dist", "cli.mjs");
    if (!existsSync(built)) return;
    const before = statSync(built).mtimeMs;
    const env = { ...userEnvironment(home), npm_config_cache: join(home, "npm"), npm_config_offline: "true" };
    const said = execFileSync("npx", ["spillway", "--version"], { cwd: PROJECT, env, encoding: "utf8" });
    expect(said).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(statSync(built).mtimeMs).toBe(before);
  });

  it.each([
    ["a model that is unknown", ["--model", "nobody/scripted"]],
    ["no key", ["--model", "openai/scripted"]],
  ])("leaves no session after %s", async (_, flags) => {
    const before = sessionIds();
    const ran = await spillway(["agent", "why?", ...flags]);
    expect(ran.code).not.toBe(0);
    expect(sessionIds()).toEqual(before);
  });
});

/** The commands below one, as `--help` lists them. */
async function commandsOf(path: readonly string[]): Promise<readonly string[]> {
  const { out } = await spillway([...path, "--help"]);
  const listed = /^Commands:\n((?: .*\n?)+)/m.exec(out)?.[1] ?? "";
  const names = [...listed.matchAll(/^ {2}([a-z]+)/gm)].map(([, name = ""]) => name);
  const below = await Promise.all(path.length > 0 ? [] : names.map((name) => commandsOf([name])));
  return [...names.map((name) => [...path, name].join(" ")), ...below.flat()];
}
