// What the pages take for granted of a reader's machine: a project, and programs that are not ours.

/** A web page, served on loopback. */
export const WEB_PAGE =
  '<html><head><title>Spillways</title></head><body><h2>Spillways</h2><p>A spillway lets water <a href="/over">over or past</a> a dam.</p></body></html>';

/** The sources of the project that the pages speak of. */
export const SOURCES: Readonly<Record<string, string>> = {
  "README.md": "# A dam\n",
  "src/gate.ts":
    "/** How far the gate stands open, 0 to 1. */\nexport interface GateState {\n  readonly opening: number;\n}\n\nexport function openGate(state: GateState, step: number): GateState {\n  return { opening: Math.min(1, state.opening + step) };\n}\n",
  "src/main.ts":
    'import { openGate } from "./gate.ts";\n\nlet state = { opening: 0 };\nfor (let hour = 0; hour < 4; hour++) state = openGate(state, 0.25);\nconsole.log(state);\n',
};

/** What else lies in the project, but on pages that list it. */
export const FILES: Readonly<Record<string, string>> = {
  "package.json": '{ "name": "shop", "version": "4.2.0", "scripts": { "test": "node examples/noisy-build.mjs" } }\n',
  Makefile: "all:\n\t@echo made\n",
  "build.log": "compiling\nerror: one\n",
  "mcp.json":
    '{ "mcpServers": { "everything": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-everything"] } } }\n',
};

/** Programs by their names: `npx` without a network, and tools that a page pipes from or to. */
export const PROGRAMS: Readonly<Record<string, string>> = {
  npx: `[ "$1" = -y ] && shift
case $1 in
  spillway) shift; exec spillway "$@" ;;
  @modelcontextprotocol/server-everything) exec node "$PROJECT/node_modules/@modelcontextprotocol/server-everything/dist/index.js" ;;
esac
echo "npx: $1 is not here" >&2; exit 127`,
  claude: "echo 2.1.197",
  kubectl: "echo 'password: 1234'",
  gh: "echo opened",
};

/** What comes before a script of a page: the reader's own code, by page and place among its scripts. */
export const BEFORE: Readonly<Record<string, string>> = {
  "docs/agent.md 2":
    'import { createAgent, loadModel } from "spillway/agent"; const model = await loadModel("anthropic/NAME");',
  "docs/agent.md 3":
    'import { createAgent, loadModel } from "spillway/agent"; const model = await loadModel("anthropic/NAME"); const root = process.cwd(); const RESEARCH_PROMPT = "Look it up.";',
  "docs/artifacts.md 3":
    "const database = new Map(); database.keysBeginningWith = (prefix) => [...database.keys()].filter((key) => key.startsWith(prefix));",
  "docs/embedding.md 2":
    'globalThis.Bun = { spawn: () => ({ stdout: [new TextEncoder().encode("a line\\n".repeat(9000))], exited: Promise.resolve(2) }) };',
  "docs/embedding.md 3":
    'globalThis.addEventListener = (_, listener) => listener({ data: { text: "a line\\n" } }); globalThis.postMessage = console.log;',
  "docs/gate.md 1": 'const output = "a line\\n".repeat(9000);',
  "docs/gate.md 2": 'import { createSpillway, renderMessage } from "spillway"; const spillway = createSpillway();',
  "docs/gate.md 3":
    'import { createSpillway, renderEnvelope, renderMessage } from "spillway"; const spillway = createSpillway(); const about = { root: ".", stats: { time_ms: 1 }, context: { cwd: ".", params_input: {} } };',
  "docs/previews.md 1": 'const buildLog = "a line\\n".repeat(9000);',
  "docs/previews.md 2": 'import { preview } from "spillway/preview"; const testRun = "a line\\n".repeat(9000);',
  "docs/protocol.md 2": 'import { failure, partial, success } from "spillway/protocol";',
  "docs/protocol.md 3": 'import { validateToolResponse } from "spillway/protocol";',
  "docs/redaction.md 1": 'import { createSpillway } from "spillway";',
  "docs/sessions.md 1":
    'import { loadModel } from "spillway/agent"; process.env.SPILLWAY_SESSIONS = "postgres://nobody@127.0.0.1:1/none"; const model = await loadModel("anthropic/NAME");',
  "docs/tools.md 1": "const { signal } = new AbortController();",
  "docs/tools.md 2": 'const loadReadings = async (dam, signal) => ["3 m"];',
};

/** What a script of a page reads from its standard input. */
export const INPUT: Readonly<Record<string, string>> = {
  "docs/artifacts.md 2": "a line\n".repeat(13_000),
};

/** What has happened before a page begins. */
export const FIRST: Readonly<Record<string, readonly string[]>> = {
  "docs/getting-started.md": ["spillway run -- node examples/noisy-build.mjs"],
  "docs/artifacts.md": ["spillway run -- node examples/noisy-build.mjs"],
  "docs/limits.md": ["echo 'artifacts: { dir: ../elsewhere }' > spillway.yaml"],
  "docs/sessions.md": ["spillway agent 'why does the build fail?' --model anthropic/NAME --allow 'bash:node *'"],
};

/** What has happened before a command. */
export const BEFORE_COMMAND: readonly (readonly [command: RegExp, line: string])[] = [
  [/sessions repair/, `sed -i '3s/"seq":3/"seq":9/' .agents/sessions/*/events.jsonl`],
];

/** What is not run here, and why; each is matched against a block's lines, and must match something. */
export const NOT_RUN: readonly (readonly [page: string, what: RegExp, why: string])[] = [
  ["README.md", /^npm ci && /, "a clone of its own: .ci/run does both in one"],
  ["README.zh-CN.md", /^npm ci && /, "a clone of its own: .ci/run does both in one"],
  ["docs/scale.md", /SPILLWAY_STORE=s3:/, "needs a bucket and a database: test/scale runs it on Ceph and PostgreSQL"],
  ["CONTRIBUTING.md", /^npm ci /, "the suites themselves; that each script exists is tried"],
  [
    "docs/artifacts.md",
    /describeArtifactStore\(/,
    "a reader's own test: test/contract runs the same call on every store",
  ],
  ["docs/telemetry.md", /^npm install /, "needs a registry"],
  ["docs/telemetry.md", /scrape_configs/, "a file of Prometheus"],
  ["docs/telemetry.md", /auto-instrumentations/, "needs an SDK of OpenTelemetry: test/telemetry registers one"],
  ["docs/mcp.md", /mcp login/, "needs a server with a login: test/integrations/mcp-proxy/oauth has one"],
];
