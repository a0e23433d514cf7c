import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { unwrapServers, wrapServers } from "../../../src/cli/init/wrap-servers.ts";
import { findHost } from "../../../src/integrations/hosts/find-host.ts";
import { spillwayArgs, temporaryRoot } from "../../support/mcp-peers.ts";

const run = promisify(execFile);

async function init(root: string, ...args: readonly string[]): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    HOME: root,
    CODEX_HOME: join(root, ".codex"),
    XDG_STATE_HOME: join(root, ".state"),
    XDG_DATA_HOME: join(root, ".share"),
  };
  const words = await spillwayArgs("init", ...args.slice(0, 1), "--root", root, "--yes", ...args.slice(1));
  const { stdout, stderr } = await run(process.execPath, words, { env }).catch((error: { stderr: string }) => ({
    stdout: "",
    stderr: error.stderr,
  }));
  return stdout + stderr;
}

function put(root: string, name: string, text: string): string {
  const file = join(root, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

interface Servers {
  readonly mcpServers: Record<string, { command: string; args: string[]; env?: object }>;
}

const read = (file: string): Servers["mcpServers"] => (JSON.parse(readFileSync(file, "utf8")) as Servers).mcpServers;

const FIVE = `{
	"numStartups": 12,
	"mcpServers": {
		"files": { "type": "stdio", "command": "npx", "args": ["-y", "server-files", "."], "env": { "TOKEN": "x y" } },
		"memory": {"command":"memory-server"},
		"remote": { "type": "http", "url": "https://example.com/mcp" },
		"browser": {
			"command": "npx",
			"args": [ "-y",
				"browser" ]
		},
		"with space": { "command": "/opt/a b/server", "args": ["--", "--flag"] }
	},
	"projects": {}
}`;

test("five servers go behind the proxy under their own names, one with the reader, and come back byte for byte", async () => {
  const root = temporaryRoot();
  const file = put(root, ".claude.json", FIVE);
  expect(await init(root, "claude-code", "--mcp")).toContain("files, memory, browser, with space");
  const servers = read(file);
  const proxied = (name: string) => servers[name]!.args.slice(1);
  const host = ["proxy", "--host", "claude-code", "--name"];
  const reader = ["--reader", "mcp__files__spillway_read"];
  expect(proxied("files")).toEqual([...host, "files", "--", "npx", "-y", "server-files", "."]);
  expect(servers.files!.env).toEqual({ TOKEN: "x y" });
  expect(proxied("memory")).toEqual([...host, "memory", ...reader, "--", "memory-server"]);
  expect(proxied("with space")).toEqual([...host, "with space", ...reader, "--", "/opt/a b/server", "--", "--flag"]);
  expect(servers.remote).toEqual({ type: "http", url: "https://example.com/mcp" });
  await init(root, "claude-code", "--mcp", "--remove");
  expect(readFileSync(file, "utf8")).toBe(FIVE);
  // Edited since: the servers are what they were all the same.
  await init(root, "claude-code", "--mcp");
  writeFileSync(file, readFileSync(file, "utf8").replace('"numStartups": 12', '"numStartups": 13'));
  await init(root, "claude-code", "--mcp", "--remove");
  expect(read(file)).toEqual({
    ...(JSON.parse(FIVE) as Servers).mcpServers,
    memory: { command: "memory-server", args: [] },
  });
});

test("a server keeps its comments, and is no proxy for being given a folder called spillway", () => {
  const host = findHost("cursor");
  const text = `{
  "mcpServers": {
    "files": {
      // all of mine
      "command": "npx", // not bun
      "args": ["-y", "server-files", "/home/me/spillway"],
      /* "env": {} */
    }
  }
}`;
  const { text: behind, wrapped } = wrapServers(text, host, host.mcp!, {
    proxy: ["node", "/x/spillway.mjs"],
    flags: [],
  });
  expect(wrapped).toEqual(["files"]);
  for (const comment of text.match(/\/[/*].*/g) ?? []) expect(behind).toContain(comment);
  const back = unwrapServers(behind, host.mcp!).text;
  expect(back.replaceAll(/\s+/g, "")).toBe(text.replaceAll(/\s+/g, ""));
});

test("options of the proxy come before the command, or alone with --mcp", async () => {
  const root = temporaryRoot();
  const file = put(root, ".claude.json", FIVE);
  await init(root, "claude-code", "--mcp", "--", "--max-bytes", "20000");
  expect(read(file).files!.args.slice(-8)).toEqual([
    "files",
    "--max-bytes",
    "20000",
    "--",
    "npx",
    "-y",
    "server-files",
    ".",
  ]);
  await init(root, "claude-code", "--name", "one", "--", "--max-bytes", "20000", "--", "node", "x", "--flag");
  expect(read(join(root, ".mcp.json")).one).toEqual({
    type: "stdio",
    command: "npx",
    args: ["-y", "spillway", "proxy", "--name", "one", "--max-bytes", "20000", "--", "node", "x", "--flag"],
  });
});

test("what is no option of the proxy's is told, and nothing is written", async () => {
  const root = temporaryRoot();
  const file = put(root, ".claude.json", FIVE);
  expect(await init(root, "claude-code", "--mcp", "--", "--max-bites", "2")).toContain("--max-bites is not an option");
  expect(await init(root, "claude-code", "--mcp", "--", "--listen", "1")).toContain("--listen is not an option");
  expect(await init(root, "claude-code", "--mcp", "--", "node", "x")).toContain("node is not an option");
  expect(await init(root, "claude-code", "--name", "a", "--", "--max-bytes", "2")).toContain("another --");
  expect(readFileSync(file, "utf8")).toBe(FIVE);
});

test("an entry of a TOML file is replaced without its table of variables", async () => {
  const root = temporaryRoot();
  const text = '[mcp_servers.t]\r\ncommand = "old"\r\n\r\n[mcp_servers.t.env]\r\nKEY = "1"\r\n\r\n\r\n';
  const file = put(root, ".codex/config.toml", text);
  await init(root, "codex", "--name", "t", "--", "node", "x");
  expect(readFileSync(file, "utf8")).toContain('[mcp_servers.t.env]\r\nKEY = "1"');
  expect(readFileSync(file, "utf8")).not.toContain("old");
  await init(root, "codex", "--name", "t", "--remove");
  expect(readFileSync(file, "utf8")).toBe(text);
});

test("servers of the project's own file are pointed at, and go behind the proxy and back byte for byte when asked for", async () => {
  const root = temporaryRoot();
  const text = FIVE.replace("{", "{ // shared").replaceAll("\n", "\r\n").concat("\r\n\r\n");
  const file = put(root, ".mcp.json", text);
  expect(await init(root, "claude-code", "--mcp")).toContain(
    `~/.mcp.json has files, memory, browser, with space: --project puts those behind the proxy.`,
  );
  expect(readFileSync(file, "utf8")).toBe(text);
  await init(root, "claude-code", "--mcp", "--project");
  expect(readFileSync(file, "utf8")).toContain('"mcp__files__spillway_read"');
  await init(root, "claude-code", "--mcp", "--project", "--remove");
  expect(readFileSync(file, "utf8")).toBe(text);
});
