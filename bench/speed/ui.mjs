/**
 * The inspector on an artifact of 1 GB: server time of a jump to any line, and first paint in Chromium where
 * `npm run test:browser -- --install` has brought one. node bench/speed/ui.mjs [MB]
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLocalStore } from "../../dist/artifacts.mjs";

const megabytes = Number(process.argv[2] ?? 1000);
const root = mkdtempSync(join(tmpdir(), "bench-ui-"));
const bin = new URL("../../bin/spillway.mjs", import.meta.url).pathname;
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

const store = createLocalStore({ root, dir: ".agents/tool-output" });
const writer = await store.create({ tool: "bench" });
let lines = 0;
const row = "x".repeat(80);
for (let written = 0; written < megabytes * 1e6; ) {
  const chunk = Buffer.from(Array.from({ length: 10_000 }, () => `line ${++lines} ${row}\n`).join(""));
  written += chunk.length;
  await writer.write(chunk);
}
await writer.finish({ complete: true });

const server = spawn(process.execPath, [bin, "ui", "--no-open", "--root", root]);
try {
  const address = String((await once(server.stdout, "data"))[0]).trim();
  const url = new URL(address);
  const headers = { Authorization: `Bearer ${url.searchParams.get("token")}` };
  const jumps = [];
  for (let at = 0; at < 50; at++) {
    const from = 1 + Math.floor((lines - 200) * ((at * 0.618) % 1));
    const start = performance.now();
    const response = await fetch(`${url.origin}/api/v1/outputs/${writer.id}/lines?from=${from}&limit=200`, { headers });
    await response.arrayBuffer();
    jumps.push(performance.now() - start);
  }
  console.log(
    `jump to a line of ${megabytes} MB: median ${median(jumps).toFixed(1)} ms, worst ${Math.max(...jumps).toFixed(1)} ms (budget 100)`,
  );
  const folder = new URL("../../test/browser/", import.meta.url).pathname;
  const program = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) => existsSync(path));
  if (program === undefined || !existsSync(`${folder}node_modules/playwright-core`)) {
    console.log("first paint: no Chromium here");
  } else {
    const { chromium } = createRequire(`${folder}package.json`)("playwright-core");
    const flags = [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ];
    const browser = await chromium.launch({ executablePath: program, args: flags });
    const page = await browser.newPage();
    await page.goto(address);
    const paints = [];
    for (let at = 0; at < 5; at++) {
      await page.goto("about:blank");
      const start = performance.now();
      await page.goto(`${url.origin}/outputs/${writer.id}`, { waitUntil: "commit" });
      await page.locator(".lines .line", { hasText: "line 1 " }).first().waitFor();
      paints.push(performance.now() - start);
    }
    console.log(`first lines of it on the screen: median ${median(paints).toFixed(0)} ms (budget 1000)`);
    await browser.close();
  }
} finally {
  server.kill();
  rmSync(root, { recursive: true, force: true });
}
