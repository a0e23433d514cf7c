import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtPackage } from "../support/build.ts";
import { temporaryFolder } from "../support/folder.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { spillway } from "../support/spillway-command.ts";

const root = temporaryFolder("narrow");
const WIDTH = 420;

let browser: Browser;
let server: ChildProcess;
let model: ModelServer;
let address: string;
let page: Page;
let output: string;
let session: string;

beforeAll(async () => {
  const command = 'for (let i = 1; i < 9000; i++) console.log("a line of some length that no phone can show whole", i)';
  await spillway(["run", "--root", root, "--", process.execPath, "-e", command], { cwd: root });
  const rows = Array.from({ length: 9000 }, (_, n) => `file-${n},${n},someone,kept`);
  const input = `name,size,owner,state\n${rows.join("\n")}\n`;
  await spillway(["pipe", "--name", "mcp__a_server_with_a_long_name__list_everything", "--root", root], {
    cwd: root,
    input,
  });
  model = await startModelServer([
    { calls: [{ name: "Bash", input: { command: "seq 1 100000; exit 3" } }] },
    { text: "Counted to the end." },
  ]);
  const wire = ["--model", "openai/m", "--base-url", model.url, "--root", root, "--yes"];
  await spillway(["agent", `count ${"for me ".repeat(40)}`, ...wire], { cwd: root, env: { OPENAI_API_KEY: "k" } });
  const { bin } = await builtPackage();
  server = spawn(process.execPath, [bin, "ui", "--no-open", "--root", root], { cwd: root });
  const [line] = (await once(server.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  address = line.toString().trim();
  browser = await chromium.launch({
    executablePath: process.env.SPILLWAY_CHROMIUM as string,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic"],
  });
  page = await browser.newPage({ viewport: { width: WIDTH, height: 900 }, hasTouch: true });
  await page.goto(address);
  const listed = await spillway(["artifacts", "list", "--json", "--root", root], { cwd: root });
  output = JSON.parse(listed.out).artifacts.at(-1).id;
  const sessions = await spillway(["sessions", "list", "--json", "--root", root], { cwd: root });
  session = JSON.parse(sessions.out)[0].id;
});
afterAll(async () => {
  await browser?.close();
  server?.kill();
  await model?.close();
});

async function open(path: string): Promise<void> {
  await page.goto(new URL(path, address).href.split("?token")[0] as string);
}

/** Elements beyond the right edge that nothing scrolls, and controls too small to tap. Runs in the page. */
const LOOK = `(() => {
  const width = document.documentElement.clientWidth;
  const box = (element) => element.getBoundingClientRect();
  const scrolls = (element) => {
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement)
      if (getComputedStyle(at).overflowX !== "visible") return true;
    return false;
  };
  const name = (element) => element.tagName + " " + (element.textContent || element.getAttribute("aria-label") || "").slice(0, 40);
  const shown = (element) => box(element).width > 1 && box(element).height > 1;
  const all = [...document.querySelectorAll("#app *")].filter(shown);
  return {
    scrollWidth: document.documentElement.scrollWidth,
    beyond: all.filter((element) => box(element).right > width + 1 && !scrolls(element)).map(name),
    small: all
      .filter((element) => element.matches("a, button, input, select") && !element.closest(".lines"))
      .filter((element) => box(element).width < 32 || box(element).height < 32)
      .map(name),
  };
})()`;

const PAGES: readonly [name: string, path: () => string, ready: string][] = [
  ["now", () => "/", "tr td.name"],
  ["sessions", () => "/sessions", ".sessions li"],
  ["one session", () => `/sessions/${session}`, ".entry.end"],
  ["savings", () => "/savings", "tr td.name"],
  ["health", () => "/health", "tr .number"],
  ["search", () => "/search?q=file-777%20someone", ".passage pre"],
  ["one output", () => `/outputs/${output}`, ".lines .line"],
];

describe(`the inspector at ${WIDTH} px`, () => {
  it.each(PAGES)("fits: %s", async (_, path, ready) => {
    await open(path());
    await page.locator(ready).first().waitFor();
    expect(await page.evaluate(LOOK)).toEqual({ scrollWidth: WIDTH, beyond: [], small: [] });
  });

  it("names each number in a row", async () => {
    await open("/");
    const text = await page.locator("tbody tr", { hasText: "list_everything" }).textContent();
    expect(text).toMatch(/9,001 lines/);
    const labels = await page
      .locator("tbody tr")
      .first()
      .locator("td.number")
      .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell, "::before").content));
    expect(labels.every((label) => label.includes("Output") || label.includes("Shown to the model"))).toBe(true);
  });

  it("labels limits with what they limit and their unit", async () => {
    await open(`/outputs/${output}`);
    const limits = page.getByRole("group", { name: "Shows at most" });
    expect(await limits.getByLabel("lines").getAttribute("placeholder")).toBe("2,000");
    expect(await limits.getByLabel("bytes").getAttribute("placeholder")).toBe("51,200");
    await limits.getByLabel("lines").fill("5");
    await page.getByText("as it would be shown with these settings").waitFor();
    await open(`/sessions/${session}`);
    await page.getByText("context window: 128,000 tokens").waitFor();
  });

  it("reaches the main actions by taps", async () => {
    await open("/");
    await page.locator("tbody tr", { hasText: "list_everything" }).getByRole("link").tap();
    await page.getByRole("button", { name: /^Why each block was kept/ }).tap();
    await page.getByRole("columnheader", { name: "Reason" }).waitFor();
    await page.getByRole("button", { name: /^Why each block was kept/ }).tap();
    await page.getByLabel("Go to line").tap();
    await page.keyboard.type("8000");
    await page.keyboard.press("Enter");
    await page.locator(".lines .marked", { hasText: "file-7998" }).waitFor();
    for (const name of ["Sessions", "Savings", "Health", "Now"]) {
      await page.getByRole("link", { name, exact: true }).tap();
      await page.getByRole("heading", { name: new RegExp(`^${name}`) }).waitFor();
    }
    await page.getByLabel("Search all outputs").tap();
    await page.keyboard.type("file-777 someone");
    await page.keyboard.press("Enter");
    await page.locator("article", { hasText: "file-777" }).first().waitFor();
  });
});
