import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type BucketServer, startBucketServer } from "../support/bucket-server.ts";
import { temporaryFolder } from "../support/folder.ts";
import {
  type InstalledPackage,
  installPackage,
  packageEntries,
  packPackage,
  userEnvironment,
} from "../support/installed-package.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";

const home = temporaryFolder("entries");
const app = join(home, "app");
let installed: InstalledPackage;
let model: ModelServer;
let bucket: BucketServer;

beforeAll(async () => {
  installed = await installPackage(app, await packPackage(temporaryFolder("entries-pack")));
  model = await startModelServer(({ toolResults: [result] }) =>
    result === undefined
      ? { calls: [{ id: "call_1", name: "Bash", input: { command: "seq 1 90000" } }] }
      : { text: /"_openagentic_truncated": ?true/.test(result.text) ? "It counts to 90000." : result.text },
  );
  bucket = await startBucketServer();
});

afterAll(async () => {
  bucket.close();
  await model.close();
});

/** What each script begins with: a long output, and the functions of a framework as far as an adapter needs them. */
const BEFORE = `
const LOG = Array.from({ length: 9000 }, (_, n) => (n === 4500 ? "ERROR: the disk is full" : "step " + n + " ok")).join("\\n");
const isBounded = (text) => typeof text === "string" && text.length < 52000 && text.includes("ERROR: the disk is full") && /saved to|artifact/.test(text);
const idIn = (text) => /(?<![0-9a-z])0[0-9a-z]{21}(?![0-9a-z])/.exec(text)[0];
const say = (...values) => console.log(JSON.stringify(values));
const expect = (actual) => {
  const { deepEqual, deepStrictEqual, strictEqual } = assert;
  const fits = (value, part) => {
    if (typeof part !== "object" || part === null) return strictEqual(value, part);
    for (const key of Object.keys(part)) fits(value[key], part[key]);
  };
  return { toBe: (to) => assert.ok(Object.is(actual, to), JSON.stringify([actual, to])), toEqual: (to) => deepEqual(actual, to), toMatchObject: (to) => fits(actual, to) };
};
`;

/** The main function of each entry, and what it prints. */
const MAIN: Readonly<Record<string, readonly [source: string, prints: unknown]>> = {
  spillway: [
    `import { createSpillway, ObservationTruncator, renderMessage, Tool, Truncate } from "spillway";
     const spillway = createSpillway();
     const result = await spillway.govern(LOG, { tool: "Bash", callId: "call_0" });
     const saved = await readFile(result.storage.artifact.path, "utf8");
     const run = await spillway.exec("seq", ["1", "90000"]);
     const { truncated, outputPath } = await Truncate.output(LOG);
     const response = { status: "success", data: { content: LOG }, text: "", stats: { time_ms: 1 }, context: { cwd: ".", params_input: {} } };
     const { status } = await new ObservationTruncator({ root: process.cwd() }).truncate("Read", response);
     await spillway.flush();
     say(isBounded(renderMessage(result)), saved === LOG, run.kind, truncated, typeof outputPath, status, typeof Tool.define);`,
    [true, true, "bounded", true, "string", "partial", "function"],
  ],
  "spillway/preview": [
    `import { preview } from "spillway/preview";
     say(preview(LOG, { strategy: "smart", maxBytes: 2000 }).text.includes("ERROR: the disk is full"));`,
    [true],
  ],
  "spillway/tokenizer": [
    `import { loadTokenizer } from "spillway/tokenizer";
     const count = await loadTokenizer();
     say(count("hello world"));`,
    [2],
  ],
  "spillway/protocol": [
    `import { success, toolResponseSchema, validateToolResponse } from "spillway/protocol";
     const made = success({ data: { content: "x" }, text: "Read a.", stats: { time_ms: 3 }, context: { cwd: ".", params_input: {} } });
     say(validateToolResponse(made), toolResponseSchema.safeParse(made).success);`,
    [{ ok: true }, true],
  ],
  "spillway/artifacts": [
    `import { createLocalStore, createMemoryStore } from "spillway/artifacts";
     for (const store of [createLocalStore({ dir: join(process.cwd(), "store") }), createMemoryStore()]) {
       const writer = await store.create({ tool: "Bash" });
       await writer.write(Buffer.from(LOG));
       const artifact = await writer.finish({ complete: true });
       say((await store.readLines(artifact.id, { offsetLine: 4501, limit: 1 })).text.trim());
     }`,
    "ERROR: the disk is full",
  ],
  "spillway/artifacts/contract": [
    `import { describe, it } from "node:test";
     import { createMemoryStore } from "spillway/artifacts";
     import { describeArtifactStore } from "spillway/artifacts/contract";
     describeArtifactStore("memory", ({ now }) => createMemoryStore({ now }), { describe, it, expect });`,
    " fail 0",
  ],
  "spillway/artifacts/store-author": [
    `import { createArtifactId, createArtifactName, createMemorySource, parseArtifactName, readLinesFrom, scanLineIndex } from "spillway/artifacts/store-author";
     const id = createArtifactId();
     const source = createMemorySource(Buffer.from(LOG));
     const { text } = await readLinesFrom(source, await scanLineIndex(source), { offsetLine: 4501, limit: 1 });
     say(parseArtifactName(createArtifactName({ id, tool: "Bash" })).id === id, text.trim());`,
    [true, "ERROR: the disk is full"],
  ],
  "spillway/artifacts/s3": [
    `import { createSpillway } from "spillway";
     import { createS3Store } from "spillway/artifacts/s3";
     const credentials = { accessKeyId: "key", secretAccessKey: "secret" };
     const store = createS3Store({ bucket: "bucket", prefix: "agents", region: "us-east-1", endpoint: process.env.BUCKET_URL, credentials });
     const { storage } = await createSpillway({ store }).govern(LOG, { tool: "Bash" });
     const { text } = await store.readLines(storage.artifact.id, { offsetLine: 4501, limit: 1 });
     say(storage.artifact.path.startsWith("s3://bucket/agents/tool_"), text.trim());`,
    [true, "ERROR: the disk is full"],
  ],
  "spillway/tools": [
    `import { builtInTools, createToolRegistry } from "spillway/tools";
     import { createSpillway } from "spillway";
     const root = process.cwd();
     const registry = createToolRegistry({ root, tools: builtInTools, spillway: createSpillway({ root }) });
     const bash = await registry.call("Bash", { command: "seq 1 90000" });
     const grep = await registry.call("Grep", { pattern: "LOG", path: "script.mjs" });
     const map = await registry.call("RepoMap", { path: "." });
     say(bash.response.status, grep.response.status, map.response.status !== "error");`,
    ["partial", "success", true],
  ],
  "spillway/agent": [
    `import { createAgent, explore, loadModel } from "spillway/agent";
     const model = await loadModel("openai-compatible/scripted", { baseURL: process.env.MODEL_URL });
     const { text, reason, session } = await createAgent({ model, yes: true }).run("Count.");
     const answer = await explore("Count.", { model });
     say(text, reason, session.startsWith("ses_"), answer.reason);`,
    ["It counts to 90000.", "done", true, "done"],
  ],
  "spillway/agent/contract": [
    `import { describe, it } from "node:test";
     import { mkdtempSync, readdirSync, writeFileSync } from "node:fs";
     import { hostname, tmpdir } from "node:os";
     import { createFileSessions } from "spillway/agent";
     import { describeSessionStore } from "spillway/agent/contract";
     const kill = async ({ path }) => {
       const lock = readdirSync(dirname(path)).find((name) => name.startsWith("lock."));
       writeFileSync(join(dirname(path), lock), JSON.stringify({ pid: 2 ** 30, startedAt: "1", host: hostname() }));
     };
     const create = () => ({ sessions: createFileSessions(mkdtempSync(join(process.cwd(), "sessions-"))), kill });
     describeSessionStore("files", create, { describe, it, expect });`,
    " fail 0",
  ],
  // What it does with a database is in test/scale, which has one; without the optional peer it says what to install.
  "spillway/agent/postgres": [
    `import { createPostgresSessions } from "spillway/agent/postgres";
     const none = await createPostgresSessions({ url: "postgres://nobody@127.0.0.1:1/none" }).list().catch((error) => error);
     const empty = createPostgresSessions({ pool: { query: async (text) => ({ rows: /version/.test(text) ? [{ version: 99 }] : [] }) } });
     say(none.code, /npm install postgres/.test(none.message), (await empty.list().catch((error) => error)).code);`,
    ["INVALID_ARGUMENT", true, "STORE_FAILED"],
  ],
  "spillway/mcp": [
    `import { createInterface } from "node:readline";
     import { PassThrough } from "node:stream";
     import { startProxy } from "spillway/mcp";
     const server = 'require("readline").createInterface({ input: process.stdin }).on("line", (line) => { const { id, method, params } = JSON.parse(line); if (id === undefined) return; const result = method === "initialize" ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } } : method === "tools/call" ? { content: [{ type: "text", text: "a row\\\\n".repeat(9000) + "ERROR: the disk is full" }] } : { tools: [] }; console.log(JSON.stringify({ jsonrpc: "2.0", id, result })); })';
     const [input, output] = [new PassThrough(), new PassThrough()];
     const proxy = await startProxy({ upstream: { command: process.execPath, args: ["-e", server] }, input, output });
     const answers = createInterface({ input: output })[Symbol.asyncIterator]();
     const ask = async (id, method, params) => {
       input.write(JSON.stringify({ jsonrpc: "2.0", id, method, params }) + "\\n");
       for (;;) { const answer = JSON.parse((await answers.next()).value); if (answer.id === id) return answer; }
     };
     await ask(1, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "c", version: "1" } });
     input.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\\n');
     const { result } = await ask(2, "tools/call", { name: "big", arguments: {} });
     say(isBounded(result.content.map(({ text }) => text ?? "").join("\\n")));
     await proxy.close();
     process.exit(0);`,
    [true],
  ],
  "spillway/messages": [
    `import { boundMessages, readerTools } from "spillway/messages";
     const messages = [{ role: "user", content: "What failed?" }, { role: "assistant", content: null, tool_calls: [{ id: "call_1", type: "function", function: { name: "build_log", arguments: "{}" } }] }, { role: "tool", tool_call_id: "call_1", content: LOG }];
     const { content } = (await boundMessages(messages)).at(-1);
     say(isBounded(content), (await readerTools().call({ id: idIn(content), pattern: "ERROR" })).includes("4501:ERROR"));`,
    [true, true],
  ],
  "spillway/ai-sdk": [
    `import { boundTools, readerTools, spillwayMiddleware } from "spillway/ai-sdk";
     const { build_log } = boundTools({ build_log: { inputSchema: {}, execute: async () => LOG } });
     const options = { toolCallId: "call_2", messages: [{ role: "user", content: "What failed?" }] };
     const output = await build_log.execute({}, options);
     const shown = (await build_log.toModelOutput({ toolCallId: "call_2", input: {}, output })).value;
     const result = { type: "tool-result", toolCallId: "call_3", toolName: "log", output: { type: "text", value: LOG } };
     const { prompt } = await spillwayMiddleware().transformParams({ params: { prompt: [{ role: "tool", content: [result] }] } });
     const read = await readerTools().spillway_read.execute({ id: idIn(shown), pattern: "ERROR" });
     say(output === LOG, isBounded(shown), isBounded(prompt[0].content[0].output.value), read.includes("4501:ERROR"));`,
    [true, true, true, true],
  ],
  "spillway/openai-agents": [
    `import { readerTools, spillwayInputFilter } from "spillway/openai-agents";
     const call = { type: "function_call_result", callId: "call_4", name: "log", status: "completed", output: { type: "text", text: LOG } };
     const { input } = await spillwayInputFilter()({ modelData: { input: [{ role: "user", content: "What failed?" }, call] } });
     const shown = input[1].output.text ?? input[1].output;
     say(isBounded(shown), (await readerTools()[0].invoke({}, JSON.stringify({ id: idIn(shown), pattern: "ERROR" }))).includes("4501:ERROR"));`,
    [true, true],
  ],
  "spillway/langchain": [
    `import { readerTools, spillwayMiddleware } from "spillway/langchain";
     const request = { toolCall: { name: "log", id: "call_5" }, state: { messages: [] } };
     const message = { type: "tool", content: LOG, tool_call_id: "call_5", name: "log" };
     const { content } = await spillwayMiddleware().wrapToolCall(request, async () => message);
     const [reader] = readerTools((run, fields) => ({ ...fields, run }));
     say(isBounded(content), (await reader.run({ id: idIn(content), pattern: "ERROR" })).includes("4501:ERROR"));`,
    [true, true],
  ],
  "spillway/mastra": [
    `import { boundTools, readerTools } from "spillway/mastra";
     const { build_log } = boundTools({ build_log: { id: "build_log", execute: async () => LOG } });
     const output = await build_log.execute({}, {});
     const shown = await build_log.toModelOutput(output);
     const text = shown.value ?? shown;
     say(output === LOG, isBounded(text), (await readerTools().spillway_read.execute({ id: idIn(text), pattern: "ERROR" })).includes("4501:ERROR"));`,
    [true, true, true],
  ],
  "spillway/claude-agent-sdk": [
    `import { boundTools, readerTools, spillwayHooks } from "spillway/claude-agent-sdk";
     const [log] = boundTools([{ name: "log", handler: async () => ({ content: [{ type: "text", text: LOG }] }) }]);
     const text = (await log.handler({}, {})).content.map((block) => block.text).join("\\n");
     let read;
     readerTools({ createSdkMcpServer: (options) => options, tool: (name, description, schema, handler) => { read ??= handler; } });
     const answer = await read({ id: idIn(text), pattern: "ERROR" });
     say(isBounded(text), JSON.stringify(answer).includes("4501:ERROR"), spillwayHooks().PostToolUse.length > 0);`,
    [true, true, true],
  ],
  "spillway/adk": [
    `import { readerTools, spillwayPlugin } from "spillway/adk";
     const plugin = spillwayPlugin(class { constructor(name) { this.name = name; } });
     const { log } = await plugin.afterToolCallback({ tool: { name: "log" }, toolContext: {}, result: { log: LOG } });
     const [reader] = readerTools(class { constructor(options) { Object.assign(this, options); } });
     say(isBounded(log), (await reader.execute({ id: idIn(log), pattern: "ERROR" })).result.includes("4501:ERROR"));`,
    [true, true],
  ],
  "spillway/strands": [
    `import { boundAgent, readerTools } from "spillway/strands";
     let listener;
     class AfterToolCallEvent {}
     boundAgent({ addHook: (_, heard) => { listener = heard; }, messages: [] }, AfterToolCallEvent);
     const event = { toolUse: { name: "log", toolUseId: "call_6", input: {} }, agent: { messages: [] }, result: { toolUseId: "call_6", status: "success", content: [{ type: "textBlock", text: LOG }] } };
     await listener(event);
     const text = event.result.content.map((block) => block.text).join("\\n");
     const [reader] = readerTools((config) => config);
     say(isBounded(text), (await reader.callback({ id: idIn(text), pattern: "ERROR" })).includes("4501:ERROR"));`,
    [true, true],
  ],
};

/** Runs a script in the project and gives what it prints. */
async function runScript(source: string): Promise<string> {
  const imports = `import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
`;
  writeFileSync(join(app, "script.mjs"), imports + BEFORE + source);
  const env = { ...userEnvironment(home), MODEL_URL: model.url, BUCKET_URL: bucket.url };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["script.mjs"], { cwd: app, env });
  return stdout + stderr;
}

describe("the main function of every entry, in a project without anything else", () => {
  it("is there to be tried", () => {
    expect(Object.keys(MAIN).sort()).toEqual([...packageEntries(installed.folder)].sort());
    expect(
      readdirSync(join(app, "node_modules"))
        .filter((name) => !name.startsWith("."))
        .sort(),
    ).toEqual(["@vscode", "node-sqlite3-wasm", "spillway", "zod"]);
  });

  it.each(Object.entries(MAIN))("%s", async (_, [source, prints]) => {
    const out = await runScript(source);
    if (typeof prints === "string") expect(out).toContain(prints);
    else expect(JSON.parse(out.trim().split("\n").at(-1)!)).toEqual(prints);
  });

  it("leaves no session where a run throws", async () => {
    const folder = join(app, ".agents", "sessions");
    const before = readdirSync(folder);
    const out = await runScript(`import { createAgent, explore } from "spillway/agent";
      const model = { specificationVersion: "v3", provider: "none", modelId: "none", supportedUrls: {}, doStream: async () => { throw new Error("no"); } };
      let broke = false;
      const broken = { get agents() { if (broke) throw new TypeError("broken runner"); return []; }, run: async () => undefined };
      const agent = createAgent({ model, runners: [broken] });
      broke = true;
      const thrown = await agent.run("Count.").catch((error) => error.message);
      const failed = await explore("Count.", { model, retries: 0 }).catch((error) => error.code);
      say(thrown, failed);`);
    expect(JSON.parse(out)).toEqual(["broken runner", "MODEL_FAILED"]);
    expect(readdirSync(folder)).toEqual(before);
  });

  it("carries no script that npm would run, or warn of, when it is installed", () => {
    const { scripts } = JSON.parse(readFileSync(join(installed.folder, "package.json"), "utf8"));
    const onInstall = ["preinstall", "install", "postinstall", "prepare"];
    expect(onInstall.filter((name) => name in scripts)).toEqual([]);
  });
});
