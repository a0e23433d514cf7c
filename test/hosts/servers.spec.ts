import { describe, expect, test } from "vitest";
import { builtPackage } from "../support/build.ts";
import { FILESYSTEM, support } from "../support/mcp-peers.ts";
import { merge, type Place, put } from "./agents/agent.ts";
import { claudeCode } from "./agents/claude-code.ts";
import { installedVersion } from "./agents/installed.ts";
import type { ModelCall } from "./model/start-model.ts";
import { runAgent, throwAway } from "./run-agent.ts";

const ONLY = process.env.SPILLWAY_HOSTS_ONLY?.split(",");
const missing = installedVersion(claudeCode.package) === undefined || ONLY?.includes("claude-code") === false;

/** Claude Code with a rule against one tool, and the server of that tool behind `--servers`. */
async function run(entry: object, starts: boolean) {
  const { bin } = await builtPackage();
  const arrange = ({ home, work }: Place): void => {
    const server = { command: process.execPath, args: [support("one-of-many-mcp-server.mjs"), "logs"], ...entry };
    put(home, "mcp.json", { mcpServers: { logs: server } });
    const proxy = [process.execPath, bin, "proxy", "--root", work, "--servers", `${home}/mcp.json`];
    const args = ["-c", '"$@"; echo over > "$0"', `${home}/over`, ...proxy];
    merge(home, ".claude.json", { mcpServers: { many: { type: "stdio", command: "sh", args } } });
    put(home, ".claude/settings.json", {
      permissions: { allow: ["Bash", "mcp__many"], deny: ["mcp__logs__grow"] },
    });
  };
  const call = (tool: string): ModelCall => ({ tools: [`mcp__many__logs__${tool}`], input: () => ({}) });
  // The agent's first request may come before its servers are there.
  const calls = ({ home }: Place): ModelCall[] =>
    starts
      ? [
          { ...call("where"), meanwhile: (turn) => claudeCode.shell(`sleep 1; echo ${turn}`) },
          { ...call("grow"), optional: true },
        ]
      : [claudeCode.shell(`until [ -e '${home}/over' ]; do sleep 0.1; done`), { ...call("where"), optional: true }];
  const end = await runAgent(claudeCode, { spillway: false, calls, arrange });
  const offered = end.model.requests.map(({ body }) => body).join("\n");
  const seen = end.model.seen.map(({ text }) => text);
  throwAway(end);
  return { offered, seen, printed: end.printed };
}

/** What server-filesystem, started for another folder, tells Claude Code of the folders that it may read. */
async function allowedFolders(proxied: boolean): Promise<{ readonly folders: string[]; readonly printed: string }> {
  const { bin } = await builtPackage();
  const tool = "mcp__files__list_allowed_directories";
  const arrange = ({ home, work }: Place): void => {
    const proxy = proxied ? [bin, "proxy", "--root", work, "--host", "claude-code", "--name", "files", "--"] : [];
    const server = [FILESYSTEM, `${home}/tmp`];
    const args = proxied ? [...proxy, process.execPath, ...server] : server;
    merge(home, ".claude.json", { mcpServers: { files: { type: "stdio", command: process.execPath, args } } });
    put(home, ".claude/settings.json", { permissions: { allow: ["Bash", "mcp__files"] } });
  };
  const call: ModelCall = {
    tools: [tool],
    input: () => ({}),
    meanwhile: (turn) => claudeCode.shell(`sleep 1; echo ${turn}`),
  };
  const end = await runAgent(claudeCode, { spillway: false, calls: () => [call], arrange });
  const text = (end.model.seen.at(-1)?.text ?? "").replaceAll(end.place.home, "HOME");
  throwAway(end);
  return { folders: text.match(/HOME\/\w+/g) ?? [], printed: end.printed };
}

test.skipIf(missing)("Claude Code gives server-filesystem its roots behind the proxy as without it", async () => {
  const alone = await allowedFolders(false);
  expect(alone.folders, alone.printed).toEqual(["HOME/work"]);
  const proxied = await allowedFolders(true);
  expect(proxied.folders, proxied.printed).toEqual(alone.folders);
});

describe.skipIf(missing)("Claude Code, a rule that denies a tool of a server behind --servers", () => {
  test("is kept by the entry's own list: the tool is neither offered nor called", async () => {
    const { offered, seen, printed } = await run({ deny: ["grow"] }, true);
    expect(offered, printed).toContain("mcp__many__logs__where");
    expect(offered).not.toContain("mcp__many__logs__grow");
    expect(seen.at(-1)).toContain('"name":"logs"');
  });

  test("is kept by refusing to start", async () => {
    const { offered, seen } = await run({}, false);
    expect(seen.length).toBeGreaterThan(0);
    expect(offered).not.toContain("mcp__many__logs__");
  });
});
