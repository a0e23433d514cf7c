import { spawnSync } from "node:child_process";
import { createReadStream, existsSync, readdirSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROJECT } from "../support/build.ts";

const DIST = join(PROJECT, "site", "dist");
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
};

/** Built by this very run, so that no older site is looked at. */
const built = spawnSync(process.execPath, [join(PROJECT, "site/build.mjs"), "--or-skip"], { encoding: "utf8" });
const skipped = built.stdout.startsWith("Skipped");
if (skipped) console.log(built.stdout.trim());

const pages = skipped
  ? []
  : readdirSync(DIST, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".html") && name !== "404.html")
      .map((name) => name.replace(/(^|\/)index\.html$/, "$1").replace(/\.html$/, ""));

describe.skipIf(skipped)("the pages as a site, in Chromium", () => {
  let browser: Browser;
  let server: Server;
  let address: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const path = join(DIST, decodeURI(new URL(request.url ?? "/", "http://site").pathname));
      const file = [path, `${path}.html`, join(path, "index.html")].find((name) =>
        statSync(name, { throwIfNoEntry: false })?.isFile(),
      );
      if (file === undefined) return void response.writeHead(404).end();
      response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
      createReadStream(file).pipe(response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await chromium.launch({
      executablePath: process.env.SPILLWAY_CHROMIUM as string,
      args: ["--no-sandbox"],
    });
  });

  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  it("is built without an error", () => {
    expect(built.stderr).not.toMatch(/Error/);
    expect(built.status).toBe(0);
    expect(existsSync(join(DIST, "index.html"))).toBe(true);
    expect(pages.length).toBeGreaterThan(25);
  });

  it.each([1280, 420])("shows every page whole, %i pixels wide", async (width) => {
    const page = await browser.newPage({ viewport: { width, height: 800 } });
    const wrong: string[] = [];
    let at = "";
    page.on("console", (message) => message.type() === "error" && wrong.push(`${at}: ${message.text()}`));
    page.on("pageerror", (error) => wrong.push(`${at}: ${error.message}`));
    for (at of pages) {
      await page.goto(`${address}/${at}`, { waitUntil: "load" });
      const seen = await page.evaluate(() => ({
        text: document.documentElement.textContent ?? "",
        title: document.title,
        heading: document.querySelector("main h1")?.textContent ?? "",
        outline: [...document.querySelectorAll(".VPDocAsideOutline a")].map((link) => link.textContent ?? ""),
        sections: document.querySelectorAll("main h2").length,
        broken: [...document.querySelectorAll(".vp-doc td code")]
          .filter(({ textContent }) => /^\w{1,16}$/.test(textContent ?? ""))
          .filter((name) => name.getClientRects().length > 1)
          .map(({ textContent }) => textContent),
        over: document.documentElement.scrollWidth - window.innerWidth,
      }));
      if (seen.text.includes("{{")) wrong.push(`${at}: a raw template`);
      if (seen.title.trim() === "" || !/Spillway/.test(seen.title)) wrong.push(`${at}: title ${seen.title}`);
      if (seen.heading.trim() === "") wrong.push(`${at}: no heading`);
      if (seen.outline.length < seen.sections) wrong.push(`${at}: outline ${seen.outline}`);
      if (seen.broken.length > 0) wrong.push(`${at}: names in pieces: ${seen.broken}`);
      if (seen.over > 0) wrong.push(`${at}: ${seen.over} pixels too wide`);
    }
    await page.close();
    expect(wrong).toEqual([]);
  });

  it("finds a page by a word", async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(address);
    const word = page.locator("#localsearch-input");
    // The page hears its keys only when its script has run.
    const opens = async () => {
      await page.keyboard.press("Control+k");
      return word.isVisible();
    };
    await expect.poll(opens, { timeout: 60_000, interval: 500 }).toBe(true);
    await word.fill("maxResultBytes");
    await page.locator(".VPLocalSearchBox .result").first().waitFor();
    await page.close();
  });
});
