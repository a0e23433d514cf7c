import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { temporaryFolder } from "../support/folder.ts";
import { RawPeer, spillwayArgs, support } from "../support/mcp-peers.ts";

const peers: RawPeer[] = [];
afterEach(async () => {
  await Promise.all(peers.splice(0).map((peer) => peer.close()));
});

const entry = (more: object = {}) => ({
  command: process.execPath,
  args: [support("one-of-many-mcp-server.mjs"), "a"],
  ...more,
});

interface Place {
  readonly home: string;
  readonly root: string;
}

function place(files: Readonly<Record<string, unknown>>): Place {
  const home = temporaryFolder("rules");
  const root = join(home, "project");
  mkdirSync(root);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), typeof content === "string" ? content : JSON.stringify(content));
  }
  return { home, root };
}

async function start({ home, root }: Place, ...flags: string[]): Promise<RawPeer> {
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: "",
    XDG_STATE_HOME: join(home, "state"),
    CLAUDE_CONFIG_DIR: "",
    CODEX_HOME: "",
  };
  const peer = new RawPeer(await spillwayArgs("proxy", "--root", root, ...flags), env);
  peers.push(peer);
  return peer;
}

async function refusal(at: Place, ...flags: string[]): Promise<string> {
  const peer = await start(at, "--servers", join(at.home, "mcp.json"), ...flags);
  expect(await new Promise((resolve) => peer.child.once("close", resolve))).toBe(2);
  return peer.stderr;
}

async function toolsOf(peer: RawPeer): Promise<string[]> {
  await peer.initialize();
  return (await peer.request("tools/list")).result.tools.map(({ name }: { name: string }) => name);
}

describe("spillway proxy --servers", () => {
  test("takes the servers of the user's configuration", async () => {
    const at = place({ ".config/spillway/config.yaml": `servers:\n  mine: ${JSON.stringify(entry())}\n` });
    expect(await toolsOf(await start(at, "--servers"))).toContain("mine__where");
  });

  test("takes none from a project", async () => {
    const at = place({ "project/spillway.yaml": `servers:\n  evil: ${JSON.stringify(entry())}\n` });
    const peer = await start(at, "--servers");
    expect(await new Promise((resolve) => peer.child.once("close", resolve))).toBe(2);
    expect(peer.stderr).toContain(
      `There are no servers in your configuration (${at.home}/.config/spillway/config.yaml)`,
    );
  });

  test.each([
    [
      "project/.claude/settings.json",
      { permissions: { deny: ["mcp__git hub__delete_repo"] } },
      "mcp__git hub__delete_repo",
    ],
    [".claude/settings.json", { permissions: { ask: ["mcp__git_hub"] } }, "mcp__git_hub"],
    [
      "project/.claude/settings.local.json",
      { hooks: { PreToolUse: [{ matcher: "mcp__git hub__.*" }] } },
      "mcp__git hub__.*",
    ],
    [
      ".gemini/settings.json",
      { mcpServers: { "git hub": { excludeTools: ["x"] } } },
      "mcpServers.git hub.excludeTools",
    ],
    [".qwen/settings.json", { mcp: { excluded: ["git hub"] } }, "mcp.excluded: git hub"],
    [
      ".codex/config.toml",
      '[mcp_servers."git hub"]\ncommand = "x"\ndisabled_tools = ["y"]\n',
      'disabled_tools = ["y"]',
    ],
    ["project/opencode.json", { permission: { "git hub_delete*": "deny" } }, "git hub_delete*"],
    [".cursor/cli-config.json", { permissions: { deny: ["Mcp(git hub:delete)"] } }, "Mcp(git hub:delete)"],
  ])("refuses where %s has a rule for one of them", async (file, content, rule) => {
    const at = place({ "mcp.json": { mcpServers: { "git hub": entry() } }, [file]: content });
    for (const flags of [[], ["--tools", "lazy"]]) {
      const said = await refusal(at, ...flags);
      expect(said).toContain(join(at.home, file));
      expect(said).toContain(JSON.stringify(rule).slice(1, -1));
    }
  });

  test("starts where rules are for others, keep their meaning, allow, or are the proxy's own as well", async () => {
    const permissions = {
      deny: ["mcp__other__x", "mcp__*__y", "Bash(rm:*)", "mcp__a__fail"],
      allow: ["mcp__a__where"],
    };
    const hooks = { PreToolUse: [{ matcher: ".*" }, { matcher: "mcp__.*" }, { matcher: "Bash" }] };
    const at = place({
      "mcp.json": { mcpServers: { a: entry({ deny: ["fail"] }) } },
      ".claude/settings.json": { permissions, hooks },
    });
    const peer = await start(at, "--servers", join(at.home, "mcp.json"));
    expect(await toolsOf(peer)).not.toContain("a__fail");
    expect(peer.stderr).toContain("settings.json allows mcp__a__where");
  });

  test.each([
    [".claude/settings.json", { permissions: { allow: ["mcp__a__where"] } }, "mcp__a__where"],
    [".claude/settings.json", { permissions: { deny: ["mcp__*__fail"] } }, "mcp__*__fail"],
    [".claude/settings.json", { hooks: { PreToolUse: [{ matcher: "mcp__.*__fail" }] } }, "mcp__.*__fail"],
    ["project/opencode.json", { permission: { "*_fail": "deny" } }, "*_fail"],
  ])("with --tools lazy refuses where %s has a rule by the name of a tool, %j", async (file, content, rule) => {
    const at = place({ "mcp.json": { mcpServers: { a: entry() } }, [file]: content });
    expect(await refusal(at, "--tools", "lazy")).toContain(rule);
    expect(await toolsOf(await start(at, "--servers", join(at.home, "mcp.json")))).toContain("a__fail");
  });

  test("with --tools lazy starts where all tools of a server are allowed", async () => {
    const settings = { permissions: { allow: ["mcp__a", "mcp__*"] }, hooks: { PreToolUse: [{ matcher: "mcp__.*" }] } };
    const at = place({ "mcp.json": { mcpServers: { a: entry() } }, ".claude/settings.json": settings });
    const peer = await start(at, "--servers", join(at.home, "mcp.json"), "--tools", "lazy");
    expect(await toolsOf(peer)).toContain("call_tool");
  });

  test("--host looks at that host's rules only", async () => {
    const at = place({
      "mcp.json": { mcpServers: { a: entry() } },
      ".claude/settings.json": { permissions: { deny: ["mcp__a__fail"] } },
    });
    expect(await refusal(at, "--host", "claude-code")).toContain("mcp__a__fail");
    expect(await toolsOf(await start(at, "--servers", join(at.home, "mcp.json"), "--host", "codex"))).toContain(
      "a__fail",
    );
  });
});
