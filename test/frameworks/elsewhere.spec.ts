import { execFile } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium } from "playwright-core";
import { build } from "tsdown";
import { beforeAll, describe, expect, it } from "vitest";
import { preview } from "../../src/preview/index.ts";
import { builtPackage, PROJECT } from "../support/build.ts";
import { temporaryFolder } from "../support/folder.ts";

const run = promisify(execFile);
const BROWSER = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) => existsSync(path));
const folder = temporaryFolder("elsewhere");

/** What is previewed: a log with an error, JSON, and text of several scripts, each by every strategy. */
const CASES = `
const log = Array.from({ length: 5000 }, (_, at) => at === 3000 ? "ERROR cannot open 文件 🙂" : "[ok] step " + at).join("\\n");
const json = JSON.stringify(Array.from({ length: 900 }, (_, id) => ({ id, name: "row " + id, ok: id !== 700 })));
const results = [];
for (const text of [log, json, "漢字🙂".repeat(3000)])
  for (const strategy of ["head", "tail", "head_tail", "smart"])
    results.push(preview(text, { strategy, maxBytes: 2000, maxLines: 40, query: "step 4711" }).text);
`;
const expected = new Function("preview", `${CASES}; return results;`)(preview) as string[];

beforeAll(async () => {
  const { dist } = await builtPackage();
  const entry = join(folder, "entry.mjs");
  writeFileSync(
    entry,
    `import { preview } from ${JSON.stringify(join(dist, "preview.mjs"))};\n${CASES}\nconsole.log(JSON.stringify(results));\n`,
  );
  const page = join(folder, "page.mjs");
  writeFileSync(
    page,
    `import { preview } from ${JSON.stringify(join(dist, "preview.mjs"))};\n${CASES}\n(globalThis.document ? (value) => (globalThis.shown = value) : (value) => postMessage(value))(results);\n`,
  );
  await build({
    entry: { bundle: page },
    cwd: folder,
    config: false,
    outDir: folder,
    format: "esm",
    platform: "browser",
    target: "es2022",
    dts: false,
    clean: false,
    logLevel: "error",
    outExtensions: () => ({ js: ".js" }),
  });
});

describe("spillway/preview", () => {
  it.each(["bun", "deno"])("gives the same in %s", async (name) => {
    const program = join(PROJECT, "test/frameworks/node_modules/.bin", name);
    const args = name === "deno" ? ["run", "--allow-read", "--no-config", "entry.mjs"] : ["entry.mjs"];
    const { stdout } = await run(program, args, { cwd: folder, env: { ...process.env, HOME: folder }, maxBuffer: 1e8 });
    expect(JSON.parse(stdout)).toEqual(expected);
  });

  it.skipIf(BROWSER === undefined)("gives the same in a browser's page and in its worker", async () => {
    const bundle = readFileSync(join(folder, "bundle.js"), "utf8");
    const server = createServer((request, response) => {
      const script = request.url === "/bundle.js";
      response.writeHead(200, { "content-type": script ? "text/javascript" : "text/html" });
      response.end(script ? bundle : '<!doctype html><script type="module" src="/bundle.js"></script>');
    });
    expect(bundle).not.toMatch(/from ?["']node:/);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const browser = await chromium.launch({ executablePath: BROWSER as string, args: ["--no-sandbox"] });
    try {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      const shown = await page.waitForFunction("globalThis.shown");
      expect(await shown.jsonValue()).toEqual(expected);
      const worked = await page.evaluate(`new Promise((resolve, reject) => {
        const worker = new Worker("/bundle.js", { type: "module" });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = (event) => reject(new Error(event.message));
      })`);
      expect(worked).toEqual(expected);
    } finally {
      await browser.close();
      server.close();
    }
  });
});
