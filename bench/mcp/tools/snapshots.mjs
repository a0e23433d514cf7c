// What is left of real snapshots and console logs of a page, by Playwright MCP and Chrome DevTools MCP with a Chromium.
// npm run build && node bench/mcp/tools/snapshots.mjs [--install]; needs a Chromium (Debian: chromium) and the servers of run.mjs.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const bin = fileURLToPath(new URL("../../../bin/spillway.mjs", import.meta.url));
const place = process.env.SPILLWAY_MCP_SERVERS ?? here;
const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";
const root = mkdtempSync(join(tmpdir(), "spillway-snapshots-"));
const MAX_BYTES = 6000;

if (process.argv.includes("--install"))
  spawnSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock", "--prefix", place], {
    stdio: "inherit",
  });
if (!existsSync(chromium) || !existsSync(join(place, "node_modules"))) {
  console.log(`Skipped: there is no ${chromium}, or the servers are not installed (--install).`);
  process.exit(0);
}

const many = (count, make) => Array.from({ length: count }, (_, at) => make(at)).join("");
const page = `<!doctype html><title>Shop</title>
<header><nav><a href=/home>Home</a><a href=/cart>Cart (3)</a></nav><input aria-label="Search products"></header>
<main><h1>All products</h1><p role=alert>Payment failed: card expired</p>
<ul>${many(400, (at) => `<li><article><h2>Product ${at}</h2><img alt="Picture of product ${at}" src=x.png><p>A fine thing number ${at}.</p><span>${((at * 7) % 90) + 10},99 €</span><button>Add to cart</button><a href=/p/${at}>Details</a></article></li>`)}</ul>
<form><h2>Contact</h2><label>Email <input type=email required></label><input type=checkbox id=t><label for=t>I agree to the terms</label><button disabled>Send message</button></form>
<table>${many(60, (at) => `<tr><td>#${1000 + at}</td><td>${at === 37 ? "refunded" : "shipped"}</td></tr>`)}</table></main><footer>Imprint</footer>
<script>${many(600, (at) => `console.log("render product ${at}");`)}console.error("Uncaught payment error: card expired");${many(200, (at) => `console.log("tick ${at}");`)}</script>`;
const MARKS = [
  "Cart (3)",
  "Search products",
  "Payment failed: card expired",
  '"Email"',
  "I agree to the terms",
  "Send message",
  "refunded",
  "Imprint",
];

const web = createServer((_, response) => response.setHeader("Content-Type", "text/html; charset=utf-8").end(page));
web.listen(0, "127.0.0.1");
await once(web, "listening");
const url = `http://127.0.0.1:${web.address().port}/`;

async function call(args, calls) {
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "ignore"], cwd: root });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    if (message.method === undefined) waiting.get(message.id)?.(message.result);
  });
  let count = 0;
  const request = (method, params) =>
    new Promise((resolve) => {
      waiting.set(++count, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: count, method, params })}\n`);
    });
  const clientInfo = { name: "bench", version: "1" };
  await request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  const texts = [];
  for (const [name, given] of calls) {
    const { content } = await request("tools/call", { name, arguments: given });
    texts.push(content.map(({ text = "" }) => text).join("\n"));
  }
  child.stdin.end();
  const late = setTimeout(() => child.kill("SIGKILL"), 5000);
  await once(child, "exit");
  clearTimeout(late);
  return texts;
}

function shorten(name, text, ...flags) {
  const file = join(root, name);
  writeFileSync(file, text);
  const args = [bin, "preview", "--max-bytes", `${MAX_BYTES}`, ...flags, file];
  return spawnSync(process.execPath, args, { encoding: "utf8" }).stdout;
}

const [, playwright, playwrightLog] = await call(
  [
    join(place, "node_modules/@playwright/mcp/cli.js"),
    "--headless",
    "--isolated",
    "--no-sandbox",
    "--executable-path",
    chromium,
  ],
  [
    ["browser_navigate", { url }],
    ["browser_snapshot", {}],
    ["browser_console_messages", { level: "debug" }],
    ["browser_close", {}],
  ],
);
const [, devtools, devtoolsLog] = await call(
  [
    join(place, "node_modules/chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js"),
    "--headless",
    "--isolated",
    "--executablePath",
    chromium,
    "--chromeArg=--no-sandbox",
    "--no-usage-statistics",
    "--no-performance-crux",
  ],
  [
    ["new_page", { url }],
    ["take_snapshot", { pageId: 2 }],
    ["list_console_messages", { pageId: 2 }],
  ],
);
web.close();

const kept = (text) => MARKS.filter((mark) => text.includes(mark)).length;
const opened = (text) => /"Product 237"[^…]*Add to cart/.test(text);
console.log(
  `| output | bytes | in ${MAX_BYTES} bytes | of ${MARKS.length} things to see or do | head and tail of the same size | asked for product 237 |`,
);
console.log("|---|---:|---:|---:|---:|---|");
for (const [name, text] of [
  ["snapshot of Playwright MCP", playwright],
  ["snapshot of Chrome DevTools MCP", devtools],
]) {
  const smart = shorten("smart", text, "--strategy", "smart");
  const ends = shorten("ends", text, "--strategy", "head_tail");
  const asked = shorten("asked", text, "--strategy", "smart", "--query", "put product 237 into the cart");
  const found = opened(asked) ? "opened" : "not opened";
  console.log(
    `| ${name} | ${Buffer.byteLength(text)} | ${Buffer.byteLength(smart)} | ${kept(smart)} | ${kept(ends)} | ${found} |`,
  );
}
for (const [name, text] of [
  ["console of Playwright MCP", playwrightLog],
  ["console of Chrome DevTools MCP", devtoolsLog],
]) {
  const smart = shorten("smart", text, "--strategy", "smart");
  const error = "Uncaught payment error: card expired";
  const state = text.includes(error)
    ? smart.includes(error)
      ? "error kept"
      : "error lost"
    : "not in what the server gave";
  console.log(`| ${name} | ${Buffer.byteLength(text)} | ${Buffer.byteLength(smart)} | ${state} | | |`);
}
process.exit(0);
