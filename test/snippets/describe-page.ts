import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { builtPackage, PROJECT } from "../support/build.ts";
import type { InstalledPackage } from "../support/installed-package.ts";
import { type ModelServer, startModelServer } from "../support/model-server.ts";
import { type Block, blocksOf, readPage } from "./blocks.ts";
import { answer } from "./model.ts";
import { comparable, normalized, pageJson } from "./normalized.ts";
import { type Ran, Sandbox } from "./sandbox.ts";
import { BEFORE, BEFORE_COMMAND, FIRST, INPUT, NOT_RUN, WEB_PAGE } from "./stand-ins.ts";

/** `UPDATE=1` writes what commands and scripts print into the pages instead of comparing. */
const UPDATE = process.env.UPDATE === "1";
const DATA = new Set(["json", "yaml", "toml"]);
const CODE = new Set(["js", "ts"]);
/** Blocks without a language are nothing that could be run by mistake. */
const LANGUAGES = new Set(["sh", "console", "text", ...DATA, ...CODE]);

const reasonOf = (page: string, { source }: Block) =>
  NOT_RUN.find(([name, what]) => name === page && what.test(source))?.[2];

/** Runs every block of a page in a reader's project, in the order in which they stand; with `install`, where it installs. */
export function describePage(page: string, install?: (app: string) => Promise<InstalledPackage>): void {
  describe.skipIf(process.platform !== "linux")(page, () => {
    const blocks = blocksOf(readPage(page));
    // Not below a longer name: a notice names the root, so how much room it leaves depends on how long that is.
    const folder = mkdtempSync("/tmp/spillway-docs-");
    const printed = new Map<Block, string>();
    let sandbox: Sandbox;
    let model: ModelServer;
    let web: Server;

    beforeAll(async () => {
      model = await startModelServer(answer);
      web = createServer((_, response) => response.setHeader("content-type", "text/html").end(WEB_PAGE));
      await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
      const env = { ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: "none", AWS_REGION: "none" };
      const built = install ? await install(join(folder, "shop")) : await builtPackage();
      sandbox = new Sandbox(folder, built, env, page !== "docs/tools.md");
      const npx = install ? "npx " : "";
      for (const line of FIRST[page] ?? [])
        expect((await sandbox.shell(npx + line)).stderr).not.toMatch(/^spillway: /m);
    });

    afterAll(async () => {
      await model.close();
      web.close();
      rmSync(folder, { recursive: true, force: true });
      if (UPDATE) writePage(page, printed);
    });

    it("says of each block what it is", () => {
      expect(blocks.filter(({ language }) => !LANGUAGES.has(language)).map(({ line }) => line)).toEqual([]);
    });

    const scripts = blocks.filter(({ language }) => CODE.has(language));
    for (const block of blocks) {
      const { language, line } = block;
      const why = reasonOf(page, block);
      if (why !== undefined || language === "text") continue;
      if (language === "console") it(`line ${line}: its commands print what it shows`, () => runConsole(block));
      else if (language === "sh") it(`line ${line}: its commands run`, () => runShell(block));
      else if (CODE.has(language)) it(`line ${line}: its lines run`, () => runScript(block));
      else it(`line ${line}: its data is whole`, () => checkData(block));
    }

    async function runShell(block: Block): Promise<void> {
      let out = "";
      for (const line of block.source.trimEnd().split("\n")) {
        const command = await asRun(line.replace(/\s+#.*$/, ""));
        const serves = /spillway ui\b/.test(command);
        const asks = /spillway init\b(?!.*--yes)/.test(command);
        const ran = asks ? await sandbox.terminal(command) : await sandbox.shell(command, serves);
        // A command of which the page says that it fails, fails as our examples do.
        if (!serves)
          expect(
            [0, /noisy-build|npm test|--check/.test(command) ? 1 : 0],
            `${command}\n${ran.stdout}${ran.stderr}`,
          ).toContain(ran.code);
        out += ran.stdout;
      }
      compare(block, block.printed, out);
    }

    async function runScript(block: Block): Promise<void> {
      const key = `${page} ${scripts.indexOf(block) + 1}`;
      const ran = await sandbox.script(`${BEFORE[key] ?? ""}\n${block.source}`, INPUT[key]);
      expect(ran).toMatchObject({ stderr: "", code: 0 });
      compare(block, block.printed, ran.stdout);
    }

    async function runConsole(block: Block): Promise<void> {
      const commands = block.source.split(/^(?=\$ )/m).filter((part) => part.startsWith("$ "));
      const shown: string[] = [];
      for (const part of commands) {
        const [line = "", ...rest] = part.trimEnd().split("\n");
        const ran = await sandbox.shell(await asRun(line.slice(2)));
        shown.push([line, ...(rest.length === 0 ? [] : [asShown(ran, rest)])].join("\n"));
      }
      compare(block, block.source, shown.join("\n\n"));
    }

    /** The output, as JSON of the page's form, or what is kept where a page leaves the first lines out by a lone `…`. */
    function asShown({ stdout, stderr }: Ran, page: readonly string[]): string {
      const text = (stdout + stderr).trimEnd();
      if (text.startsWith("{")) return pageJson(JSON.parse(text));
      if (page[0] !== "…") return text;
      const lines = text.split("\n");
      return ["…", ...lines.slice(1 - page.length)].join("\n");
    }

    function compare(block: Block, expected: string | undefined, real: string): void {
      if (expected === undefined) return;
      const text = normalized(real, sandbox.root).replaceAll(`:${portOf(web)}/`, ":8123/");
      printed.set(block, text);
      if (!UPDATE) expect(comparable(normalized(expected, sandbox.root))).toBe(comparable(text));
    }

    /** An id that a page shows stands for the one that is there; `ID` and the port of a server too. */
    async function asRun(line: string): Promise<string> {
      for (const [command, before] of BEFORE_COMMAND) if (command.test(line)) await sandbox.shell(before);
      const command = line.replaceAll(":8123/", `:${portOf(web)}/`);
      const shown = /(?<![0-9a-z])0[0-9a-z]{20,21}(?![0-9a-z])|\bID\b/g;
      if (!shown.test(command)) return command;
      const list = /\bses_/.test(command) ? "ls .agents/sessions" : "spillway artifacts list";
      const id = /0[0-9a-z]{21}/.exec((await sandbox.shell(list)).stdout)?.[0] ?? "none";
      return command.replaceAll(shown, id);
    }

    async function checkData({ language, source }: Block): Promise<void> {
      if (language === "toml") return expect(source).toMatch(/^\[[\w.]+\]\n(\w+ = .+\n)+$/);
      const value: unknown = language === "yaml" ? parseYaml(source) : JSON.parse(source);
      expect(Object.keys(value as object).length).toBeGreaterThan(0);
      if (language === "yaml") {
        // As the user's own file, which every key may stand in.
        writeFileSync(join(folder, "of-the-page.yaml"), source);
        const ran = await sandbox.shell("spillway config --config ../of-the-page.yaml");
        expect({ code: ran.code, stderr: ran.stderr }).toEqual({ code: 0, stderr: "" });
      }
    }
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function writePage(page: string, printed: ReadonlyMap<Block, string>): void {
  let text = readPage(page);
  for (const [{ language, source, end, printed: below }, real] of [...printed].reverse()) {
    const from = language === "console" ? end - 3 - source.length : text.indexOf("```text\n", end) + 8;
    const length = language === "console" ? source.length : below!.length;
    text = `${text.slice(0, from)}${real}\n${text.slice(from + length)}`;
  }
  writeFileSync(join(PROJECT, page), text);
}
