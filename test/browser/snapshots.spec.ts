import { existsSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { preview } from "../../src/preview/preview.ts";
import { temporaryFolder } from "../support/folder.ts";
import { RawPeer, spillwayArgs } from "../support/mcp-peers.ts";

const CHROMIUM = process.env.SPILLWAY_CHROMIUM ?? "/usr/bin/chromium";
const MAX_BYTES = 6000;
const packages = fileURLToPath(new URL("node_modules/", import.meta.url));

/** How each server is started, and its calls that open a page and show it. */
const SERVERS = {
  "Playwright MCP": {
    program: "@playwright/mcp/cli.js",
    args: ["--headless", "--isolated", "--no-sandbox", "--executable-path", CHROMIUM].concat(
      ["--timeout-navigation", "170000"],
      // Where it writes what it has shown; else that is the project's own folder.
      ["--output-dir", temporaryFolder("playwright")],
    ),
    open: (url: string) => ["browser_navigate", { url }] as const,
    show: ["browser_snapshot", {}] as const,
    log: undefined,
  },
  "Chrome DevTools MCP": {
    program: "chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js",
    args: ["--headless", "--isolated", "--executablePath", CHROMIUM, "--chromeArg=--no-sandbox"].concat(
      "--no-usage-statistics",
      "--no-performance-crux",
    ),
    open: (url: string) => ["new_page", { url, timeout: 170_000 }] as const,
    show: ["take_snapshot", { pageId: 2 }] as const,
    // Playwright MCP gives only the last messages.
    log: ["list_console_messages", { pageId: 2 }] as const,
  },
};

const MARKS = ["Cart (3)", "Search products", "Payment failed: card expired", '"Email"', "I agree to the terms"].concat(
  "Send message",
  "refunded",
  "Imprint",
);
const many = (count: number, make: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => make(at)).join("");
const PAGE = `<!doctype html><title>Shop</title>
<header><nav><a href=/home>Home</a><a href=/cart>Cart (3)</a></nav><input aria-label="Search products"></header>
<main><h1>All products</h1><p role=alert>Payment failed: card expired</p>
<ul>${many(400, (at) => `<li><article><h2>Product ${at}</h2><p>A fine thing number ${at}.</p><button>Add to cart</button><a href=/p/${at}>Details</a></article></li>`)}</ul>
<form><h2>Contact</h2><label>Email <input type=email></label><input type=checkbox id=t><label for=t>I agree to the terms</label><button disabled>Send message</button></form>
<table>${many(60, (at) => `<tr><td>#${1000 + at}</td><td>${at === 37 ? "refunded" : "shipped"}</td></tr>`)}</table></main><footer>Imprint</footer>
<script>${many(300, (at) => `console.log("render product ${at}");`)}console.error("Uncaught payment error");${many(200, (at) => `console.log("tick ${at}");`)}</script>`;

let web: Server;
let url: string;
beforeAll(async () => {
  web = createServer((_, response) => response.setHeader("Content-Type", "text/html; charset=utf-8").end(PAGE));
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(web.address() as AddressInfo).port}/`;
});
afterAll(() => {
  web.closeAllConnections();
  web.close();
});

for (const [name, server] of Object.entries(SERVERS)) {
  const program = join(packages, server.program);
  describe.skipIf(!existsSync(CHROMIUM) || !existsSync(program))(`a page of 400 products by ${name}`, () => {
    // Known defect: behind Playwright's heading the outline drops what stands outside of lists; remove `fails` once it is mended.
    const check = name.includes("Playwright") ? test.fails : test;
    check("keeps what can be seen and done, folds what repeats, and opens what is asked for", async () => {
      const root = temporaryFolder("snapshots");
      const command = [process.execPath, program, ...server.args];
      const limits = ["--max-bytes", String(MAX_BYTES)];
      const peer = new RawPeer(await spillwayArgs("proxy", "--root", root, ...limits, "--", ...command));
      try {
        await peer.initialize();
        const [open, where] = server.open(url);
        expect((await peer.call(open, where)).result.isError, peer.stderr).toBeFalsy();
        const { result } = await peer.call(...server.show);
        const shown: string = result.content[0].text;
        const { original_bytes, full_output_path } = result._meta["spillway/truncation"];
        expect(original_bytes).toBeGreaterThan(50_000);
        expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(MAX_BYTES);
        expect(MARKS.filter((mark) => !shown.includes(mark))).toEqual([]);
        const whole = readFileSync(join(root, full_output_path), "utf8");
        expect(Buffer.byteLength(whole)).toBe(original_bytes);
        const ends = preview(whole, { strategy: "head_tail", maxBytes: MAX_BYTES }).text;
        expect(MARKS.filter((mark) => ends.includes(mark)).length).toBeLessThan(MARKS.length);
        const question = "put product 237 into the cart";
        const asked = preview(whole, { strategy: "smart", maxBytes: MAX_BYTES, query: question }).text;
        expect(asked).toMatch(/"Product 237"[^…]*Add to cart/);
        if (!server.log) return;
        const log = (await peer.call(...server.log)).result.content.map(({ text = "" }) => text).join("\n");
        expect(log).toContain("Uncaught payment error");
        expect(Buffer.byteLength(log)).toBeLessThanOrEqual(2 * MAX_BYTES);
      } finally {
        await peer.close();
      }
    });
  });
}
