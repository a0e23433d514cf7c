import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocalStore } from "../../src/artifacts/index.ts";
import { builtPackage, PROJECT } from "../support/build.ts";
import { temporaryFolder } from "../support/folder.ts";
import { startModelServer } from "../support/model-server.ts";
import { spillway } from "../support/spillway-command.ts";

const LONG = process.env.SPILLWAY_BROWSER_LONG === "1";
const root = temporaryFolder("browser");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

let browser: Browser;
let server: ChildProcess;
let address: string;
let noisy: string;
let huge: string;
let hostile: string;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  mkdirSync(join(root, "examples"));
  cpSync(join(PROJECT, "examples", "noisy-build.mjs"), join(root, "examples", "noisy-build.mjs"));
  await spillway(["run", "--root", root, "--", "node", "examples/noisy-build.mjs"], {
    cwd: root,
  });
  noisy = await newest();
  huge = await writeHuge(LONG ? 1_000_000_000 : 100_000_000);
  hostile = await writeHostile();
  const { bin } = await builtPackage();
  server = spawn(process.execPath, [bin, "ui", "--no-open", "--root", root], { cwd: root });
  const [line] = (await once(server.stdout as NodeJS.ReadableStream, "data")) as [Buffer];
  address = line.toString().trim();
  browser = await chromium.launch({ executablePath: process.env.SPILLWAY_CHROMIUM as string, args: FLAGS });
  page = await browser.newPage({ viewport: { width: 1200, height: 720 } });
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(address);
});
afterAll(async () => {
  await browser?.close();
  server?.kill();
});

async function newest(): Promise<string> {
  const { out } = await spillway(["artifacts", "list", "--json", "--root", root], { cwd: root });
  return JSON.parse(out).artifacts.at(-1).id;
}

const store = createLocalStore({ root, dir: ".agents/tool-output" });

/** Ten million lines or a tenth of that, each with its number. */
async function writeHuge(bytes: number): Promise<string> {
  const writer = await store.create({ tool: "huge" });
  let line = 1;
  for (let written = 0; written < bytes; ) {
    const rows: string[] = [];
    for (let at = 0; at < 10_000; at++) rows.push(`line ${line++} ${"x".repeat(85)}\n`);
    const chunk = Buffer.from(rows.join(""));
    written += chunk.length;
    await writer.write(chunk);
  }
  await writer.finish({ complete: true });
  return writer.id;
}

async function writeHostile(): Promise<string> {
  const writer = await store.create({ tool: "<img src=x onerror=alert(1)>" });
  const lines = [
    "<script>alert('ran')</script><img src=x onerror=alert(1)>",
    "\u001b]0;title\u0007\u001b[2J\u001b[31mred\u001b[0m \u009b31m c1 \u202e reversed",
    "javascript:alert(1) [link](javascript:alert(1))",
    "y".repeat(LONG ? 100_000_000 : 20_000_000),
    "after the long line",
  ];
  await writer.write(Buffer.from(`${lines.join("\n")}\n`));
  await writer.finish({ complete: true });
  return writer.id;
}

async function open(path: string): Promise<void> {
  await page.goto(new URL(path, address).href.split("?token")[0] as string);
}

async function picture(name: string): Promise<void> {
  if (process.env.SPILLWAY_BROWSER_WRITE !== "1") return;
  mkdirSync(join(PROJECT, "docs", "images"), { recursive: true });
  await page.screenshot({ path: join(PROJECT, "docs", "images", `${name}.png`) });
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

async function barriers(): Promise<readonly string[]> {
  await page.evaluate(axe);
  const { violations } = (await page.evaluate("axe.run()")) as AxeResult;
  return violations.map(
    ({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`,
  );
}

describe("the inspector in a browser", () => {
  it("takes the token out of the address and lists outputs", async () => {
    expect(page.url()).not.toContain("token");
    await page.getByRole("cell", { name: "node node examples/noisy-build.mjs", exact: true }).waitFor();
    expect(await barriers()).toEqual([]);
    await picture("inspector-now");
  });

  it("shows the error of a noisy build, its reason and the lines around it", async () => {
    await open(`/outputs/${noisy}`);
    const whole = page.getByRole("region", { name: /^The whole output, 40,052/ });
    await whole.getByText("error TS2345").waitFor();
    expect(await whole.locator(".why", { hasText: "compiler error" }).count()).toBeGreaterThan(0);
    await page.getByText("byte for byte as it was shown").waitFor();
    expect(await barriers()).toEqual([]);
    await picture("inspector-output");
    await page.keyboard.press("e");
    await page
      .getByRole("cell", { name: /compiler error/ })
      .first()
      .waitFor();
    await page.keyboard.press("e");
  });

  it("opens what was left out in place", async () => {
    const marker = page.getByRole("button", { name: /lines omitted: lines 13-/ }).first();
    await marker.click();
    await page.locator(".opened .line").first().waitFor();
    expect(await page.locator(".opened .line").count()).toBe(200);
  });

  it("changes the preview with strategy, limits and question", async () => {
    await page.getByLabel("Strategy").selectOption("tail");
    await page.getByText("as it would be shown with these settings").waitFor();
    await page.getByLabel("Strategy").selectOption("");
    await page.getByLabel("Question").fill("part-6793 larger");
    await page.locator(".pane .code .line", { hasText: "part-6793" }).first().waitFor();
  });

  it("finds lines and shows them in the map", async () => {
    await page.getByLabel("Find in this output").fill("TS2345");
    await page.keyboard.press("Enter");
    await page.getByText("1 matches").waitFor();
    expect(await page.locator(".line.hit").count()).toBe(1);
  });

  it("scrolls through millions of lines, asking for little", async () => {
    let largest = 0;
    const listen = async (response: { url(): string; body(): Promise<Buffer> }) => {
      if (response.url().includes("/lines"))
        largest = Math.max(largest, (await response.body().catch(() => Buffer.of())).length);
    };
    page.on("response", listen);
    await open(`/outputs/${huge}`);
    const whole = page.getByRole("region", { name: /^The whole output, / });
    await whole.getByText(/line 1 x/).waitFor();
    const last = Number((await whole.getAttribute("aria-label"))?.replaceAll(/\D/g, ""));
    for (const line of [Math.floor(last / 2), last, 777]) {
      await page.getByLabel("Go to line").fill(String(line));
      await page.keyboard.press("Enter");
      await whole.getByText(new RegExp(`line ${line} x`)).waitFor();
    }
    await whole.focus();
    await page.keyboard.press("End");
    await whole.getByText(new RegExp(`line ${last} x`)).waitFor();
    page.off("response", listen);
    expect(largest).toBeGreaterThan(0);
    expect(largest).toBeLessThan(400_000);
    const heap = (await page.evaluate("performance.memory.usedJSHeapSize")) as number;
    expect(heap).toBeLessThan(150_000_000);
  });

  it("lets hostile output neither run nor freeze it", async () => {
    await open(`/outputs/${hostile}`);
    const whole = page.getByRole("region", { name: /^The whole output, / });
    await whole.getByText("<script>alert('ran')</script>").waitFor();
    await whole.getByText("after the long line").waitFor();
    expect(await whole.locator("script, img").count()).toBe(0);
    expect(await whole.textContent()).not.toMatch(/[\u001b\u009b\u202e]/);
    await open("/");
    await page.getByRole("cell", { name: "<img src=x onerror=alert(1)>", exact: true }).waitFor();
  });

  it("shows new outputs while a command prints", async () => {
    await open("/");
    await page.getByRole("status", { name: "live" }).waitFor();
    const script = "for (let i = 0; i < 5000; i++) console.log('fresh row', i)";
    await spillway(["run", "--name", "fresh-tool", "--root", root, "--", process.execPath, "-e", script], {
      cwd: root,
    });
    await page.getByRole("cell", { name: /^fresh-tool \S+ -e / }).waitFor();
  });

  it("has the pages of savings, health and sessions, without barriers", async () => {
    await open("/savings");
    await page.getByText("Without Spillway").first().waitFor();
    expect(await barriers()).toEqual([]);
    await picture("inspector-savings");
    await open("/health");
    await page.getByRole("button", { name: "Check every artifact" }).click();
    await page.getByText(/(\d+) \/ \1 checked, 0 problems/).waitFor();
    expect(await barriers()).toEqual([]);
    await picture("inspector-health");
    await open("/sessions");
    await page.getByText("No sessions").waitFor();
  });

  it("shows a session as a timeline, each result one click from its artifact", async () => {
    const model = await startModelServer([
      { calls: [{ name: "Bash", input: { command: "seq 1 100000" } }] },
      { text: "Counted to the end." },
    ]);
    const wire = ["--model", "openai/m", "--base-url", model.url, "--root", root, "--yes"];
    await spillway(["agent", "count for me", ...wire], { cwd: root, env: { OPENAI_API_KEY: "k" } });
    await model.close();
    await open("/sessions");
    await page.getByRole("link", { name: "count for me" }).click();
    await page.getByText("Counted to the end.").waitFor();
    await page.getByText("Tokens of each request").waitFor();
    expect(await barriers()).toEqual([]);
    await picture("inspector-session");
    const file = join(root, "session.html");
    const session = page.url().split("/").at(-1) ?? "";
    await spillway(["ui", "--root", root, "--export", file, session], { cwd: root });
    const other = await browser.newPage();
    await other.goto(`file://${file}`);
    await other.getByText("Counted to the end.").waitFor();
    await other.close();
    await page.getByRole("link", { name: "The whole output" }).click();
    await page.getByRole("region", { name: /^The whole output, 100,000/ }).waitFor();
  });

  it("searches all outputs from anywhere by /", async () => {
    await page.keyboard.press("/");
    await page.keyboard.type("not assignable TS2345");
    await page.keyboard.press("Enter");
    await page.locator("article", { hasText: "TS2345" }).first().waitFor();
  });

  it("speaks Chinese, and remembers it", async () => {
    await page.getByRole("button", { name: "中文" }).click();
    await page.getByRole("link", { name: "实时" }).click();
    await page.getByRole("columnheader", { name: "模型看到" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "实时" }).waitFor();
    await page.getByRole("button", { name: "English" }).click();
  });

  it("works in the dark", async () => {
    await page.emulateMedia({ colorScheme: "dark" });
    await open(`/outputs/${noisy}`);
    await page.getByText("byte for byte as it was shown").waitFor();
    expect(await barriers()).toEqual([]);
    await page.emulateMedia({ colorScheme: "light" });
  });

  it("shows JSON as a tree, diffs, tables, Markdown and images as what they are", async () => {
    const json = JSON.stringify(
      { runs: Array.from({ length: 3000 }, (_, n) => ({ id: n, state: "passed" })) },
      null,
      1,
    );
    const csv = `name,size,owner,state\n${Array.from({ length: 9000 }, (_, n) => `file-${n},${n},someone,kept`).join("\n")}\n`;
    const hunk = (n: number) => `@@ -${n},2 +${n},2 @@\n-old line ${n}\n+new line ${n}\n same\n`;
    const diff = `diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n${Array.from({ length: 2000 }, (_, n) => hunk(n * 9 + 1)).join("")}`;
    const section = (n: number) =>
      `## Part ${n}\n\nSome words about part ${n}, **bold** and \`code\`.\n\n- one\n- two\n`;
    const manual = `# A manual\n\n${Array.from({ length: 1500 }, (_, n) => section(n)).join("\n")}`;
    const png = readFileSync(join(PROJECT, "docs", "images", "inspector-output.png"));
    const cases = [
      ["json", json, ".json-node"],
      ["table", csv, "td"],
      ["diff", diff, ".diff-added"],
      ["markdown", manual, ".markdown h3"],
      ["image", png, "img"],
    ] as const;
    for (const [view, input, shown] of cases) {
      await spillway(["pipe", "--name", view, "--root", root], { cwd: root, input });
      await open(`/outputs/${await newest()}`);
      await page.getByLabel("View").selectOption(view);
      await page.locator(`.scrolls ${shown}`).first().waitFor();
    }
  });

  it("exports a page that opens without a server", async () => {
    const file = join(root, "exported.html");
    await spillway(["ui", "--root", root, "--export", file, noisy], { cwd: root });
    const other = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    const trouble: string[] = [];
    other.on("console", (message) => message.type() === "error" && trouble.push(message.text()));
    other.on("pageerror", (error) => trouble.push(error.message));
    other.on("request", (request) => !/^(file|data):/.test(request.url()) && trouble.push(request.url()));
    await other.goto(`file://${file}`);
    await other
      .getByRole("region", { name: /^The whole output, / })
      .getByText("error TS2345")
      .waitFor();
    expect(trouble).toEqual([]);
    await other.close();
  });

  it("never complained", () => {
    expect(complaints).toEqual([]);
  });
});
