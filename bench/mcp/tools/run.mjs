// Tokens of tools/list and the rank of the right tool, for ten servers behind one proxy.
// npm run build && node bench/mcp/tools/run.mjs [--install]; the servers are installed here, or below SPILLWAY_MCP_SERVERS.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

const here = fileURLToPath(new URL(".", import.meta.url));
const bin = fileURLToPath(new URL("../../../bin/spillway.mjs", import.meta.url));
const place = process.env.SPILLWAY_MCP_SERVERS ?? here;
const root = mkdtempSync(join(tmpdir(), "spillway-tools-"));
const env = { ...process.env, XDG_STATE_HOME: join(root, "state"), DO_NOT_TRACK: "1" };

const SERVERS = {
  everything: ["@modelcontextprotocol/server-everything/dist/index.js"],
  filesystem: ["@modelcontextprotocol/server-filesystem/dist/index.js", root],
  memory: ["@modelcontextprotocol/server-memory/dist/index.js"],
  "sequential-thinking": ["@modelcontextprotocol/server-sequential-thinking/dist/index.js"],
  playwright: ["@playwright/mcp/cli.js", "--headless"],
  context7: ["@upstash/context7-mcp/dist/index.js"],
  "chrome-devtools": [
    "chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js",
    "--headless",
    "--no-usage-statistics",
    "--no-performance-crux",
  ],
  notion: ["@notionhq/notion-mcp-server/bin/cli.mjs"],
  exa: ["exa-mcp-server/dist/stdio.cjs"],
  figma: ["figma-developer-mcp/dist/bin.js", "--stdio"],
};
/** None of them is asked anything but its list. */
const KEYS = {
  NOTION_TOKEN: "none",
  EXA_API_KEY: "none",
  FIGMA_API_KEY: "none",
  MEMORY_FILE_PATH: join(root, "memory"),
};

if (process.argv.includes("--install"))
  spawnSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock", "--prefix", place], {
    stdio: "inherit",
  });
if (!existsSync(join(place, "node_modules"))) {
  console.log("Skipped: the servers are not installed. node bench/mcp/tools/run.mjs --install installs them.");
  process.exit(0);
}

function open(args) {
  const child = spawn(process.execPath, args, {
    stdio: ["pipe", "pipe", "ignore"],
    env: { ...env, ...KEYS },
    cwd: root,
  });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    if (message.method === undefined) waiting.get(message.id)?.(message.result);
  });
  let count = 0;
  const request = (method, params = {}) =>
    new Promise((resolve) => {
      waiting.set(++count, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: count, method, params })}\n`);
    });
  return { request, close: () => child.stdin.end() };
}

async function opened(args) {
  const peer = open(args);
  const clientInfo = { name: "bench", version: "1" };
  await peer.request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  return peer;
}

async function listTools(args) {
  const peer = await opened(args);
  const { tools } = await peer.request("tools/list");
  peer.close();
  return tools;
}

const tokensOf = (tools) => countTokens(JSON.stringify({ tools }));
const commands = Object.entries(SERVERS).map(([name, [file, ...args]]) => [
  name,
  [join(place, "node_modules", file), ...args],
]);
const file = join(root, "mcp.json");
writeFileSync(
  file,
  JSON.stringify({
    mcpServers: Object.fromEntries(commands.map(([name, args]) => [name, { command: process.execPath, args }])),
  }),
);

let direct = 0;
let count = 0;
console.log("| server | tools | tokens of tools/list |\n|---|---:|---:|");
for (const [name, args] of commands) {
  const tools = await listTools(args);
  direct += tokensOf(tools);
  count += tools.length;
  console.log(`| ${name} | ${tools.length} | ${tokensOf(tools)} |`);
}
console.log(`| all ten, directly | ${count} | ${direct} |`);

const lazy = await opened([bin, "proxy", "--root", root, "--servers", file, "--tools", "lazy"]);
const { tools: few } = await lazy.request("tools/list");
console.log(`| through \`--servers --tools lazy\`, readers included | ${few.length} | ${tokensOf(few)} |`);

/** All servers must have said what they have before anything is looked for. */
const find = async (query) => {
  const { content } = await lazy.request("tools/call", { name: "find_tools", arguments: { query, limit: 20 } });
  return content;
};
while ((await find(""))[0].text.split("\n").length < count);
for (const set of ["requests.json", "unseen-requests.json", "more-requests.json", "fresh-requests.json"]) {
  const requests = JSON.parse(readFileSync(join(here, set), "utf8"));
  const within = { 1: 0, 5: 0, 10: 0 };
  let tokens = 0;
  for (const [query, ...right] of requests) {
    const found = JSON.parse((await find(query))[0].text);
    tokens += tokensOf(found.slice(0, 5));
    const rank = found.findIndex(({ name }) => right.includes(name)) + 1;
    for (const most of Object.keys(within)) if (rank > 0 && rank <= Number(most)) within[most] += 1;
    if (rank === 0 || rank > 5) console.log(`  not in the first five: ${query} (${rank === 0 ? "not found" : rank})`);
  }
  console.log(
    `${set}: of ${requests.length}, first ${within[1]}, in the first five ${within[5]}, in the first ten ${within[10]}; five definitions are ${Math.round(tokens / requests.length)} tokens on average`,
  );
}
lazy.close();
