import { execFileSync, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtPackage } from "../support/build.ts";
import { temporaryFolder } from "../support/folder.ts";
import { spillway } from "../support/spillway-command.ts";

/** A title, a cleared screen, colours, a C1 introducer, a hyperlink, a bell, directions, tag characters. */
const HOSTILE =
  "\u001b]0;owned\u0007\u001b[2J\u001b[31mred\u009b2Jc1\u001b]8;;http://x\u001b\\link\u0007\u202Eturned\u061carabic\u{e0041}tag\u{e007f}";
const DRIVES_TERMINAL = /[\u0007\u001b\u0080-\u009f\u202e\u061c\u{e0041}\u{e007f}]/u;
/** Our own line of progress, which a slow machine shows. */
const PROGRESS = /\r\u001b\[K(?:[\d.]+ s · [\d,]+ lines · [\d.]+ [KMGT]?B)?/g;

const root = temporaryFolder("terminal");
const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;

/** What a terminal would get; carriage returns are its own. */
async function onTerminal(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { bin } = await builtPackage();
  const line = [process.execPath, bin, ...args].map(quote).join(" ");
  const child = spawn("script", ["-qec", line, "/dev/null"], {
    cwd: root,
    env: { ...process.env, NO_COLOR: "1", TERM: "xterm", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  await new Promise((resolve) => child.once("close", resolve));
  return Buffer.concat(chunks).toString().replaceAll(PROGRESS, "");
}

function hasScript(): boolean {
  try {
    return execFileSync("script", ["--version"], { encoding: "utf8" }).includes("util-linux");
  } catch {
    return false;
  }
}

describe.runIf(hasScript())("on a terminal", () => {
  let id = "";
  beforeAll(async () => {
    writeFileSync(join(root, "hostile.txt"), `${`word ${HOSTILE} word\n`.repeat(3000)}`);
    const { out } = await spillway(["run", "--name", `x${HOSTILE}`, "--json", "--", "cat", "hostile.txt"], {
      cwd: root,
    });
    id = /\.agents\/tool-output\/[^"]*_([0-9a-z]{10,})\.txt/.exec(out)?.[1] ?? "";
    expect(id).not.toBe("");
  });

  it.each([
    ["artifacts list", () => ["artifacts", "list"]],
    ["artifacts read", () => ["artifacts", "read", id, "--limit", "3"]],
    ["artifacts read, bytes", () => ["artifacts", "read", id, "--bytes", "0-200"]],
    ["artifacts read, JSON", () => ["artifacts", "read", id, "--limit", "2", "--json"]],
    ["artifacts grep", () => ["artifacts", "grep", "word", id, "--limit", "3"]],
    ["artifacts search", () => ["artifacts", "search", "word", id]],
    ["artifacts info", () => ["artifacts", "info", id]],
    ["preview", () => ["preview", "--max-lines", "20", "hostile.txt"]],
    ["preview, within limits", () => ["preview", "--max-lines", "9999", "--max-bytes", "9MB", "hostile.txt"]],
    ["run, over the limit", () => ["run", "--max-lines", "20", "--", "cat", "hostile.txt"]],
    ["run, within limits", () => ["run", "--", "head", "-n", "2", "hostile.txt"]],
    ["explore", () => ["explore", "hostile.txt", "word"]],
    ["a message that quotes", () => ["artifacts", "read", `none${HOSTILE}`]],
    ["a tool's answer", () => ["tool", "Grep", JSON.stringify({ pattern: "word", limit: 2 })]],
  ] as const)("%s shows nothing that drives it", async (_, args) => {
    const shown = await onTerminal(args());
    expect(shown.length).toBeGreaterThan(10);
    expect(shown).not.toMatch(DRIVES_TERMINAL);
  });

  it("keeps the bytes with --raw", async () => {
    expect(await onTerminal(["artifacts", "read", id, "--limit", "1", "--raw"])).toContain(HOSTILE);
    expect(await onTerminal(["run", "--raw", "--", "head", "-n", "1", "hostile.txt"])).toContain(HOSTILE);
  });

  describe("a provider's refusal", () => {
    const server = createServer((_, response) => {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: `no ${HOSTILE} such model` } }));
    });
    beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
    afterAll(() => void server.close());

    it("is shown clean", async () => {
      const { port } = server.address() as AddressInfo;
      const url = `http://127.0.0.1:${port}`;
      const shown = await onTerminal(["agent", "hi", "--model", "openai-compatible/x", "--base-url", url]);
      expect(shown).toContain("such model");
      // The spinner is ours.
      expect(shown.replaceAll("\r\u001b[K", "")).not.toMatch(DRIVES_TERMINAL);
    });
  });
});

it("keeps the bytes in a pipe", async () => {
  const { out } = await spillway(["run", "--", "head", "-n", "1", "hostile.txt"], { cwd: root });
  expect(out).toBe(`word ${HOSTILE} word\n`);
});
