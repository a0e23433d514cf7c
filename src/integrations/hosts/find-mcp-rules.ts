import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "jsonc-parser";
import { fieldsOf } from "../../bytes/json/is-object.ts";
import { matchesName } from "../../bytes/match-name.ts";
import { configHome, inHome } from "./host.ts";

/** A rule of a host that names an MCP server and would not match it under another name. */
export interface McpRule {
  readonly host: string;
  readonly file: string;
  /** As it stands in the file. */
  readonly rule: string;
  readonly server: string;
  /** The one tool that it is about; undefined for all of the server's. */
  readonly tool?: string | undefined;
  /** `allow` lets the model do more; the others less. */
  readonly effect: "allow" | "ask" | "deny" | "hook" | "tools";
}

type Found = Pick<McpRule, "rule" | "effect" | "server" | "tool">;
type Json = Readonly<Record<string, unknown>>;

interface RuleFile {
  readonly host: string;
  readonly path: string;
  readonly read: (text: string, servers: readonly string[], hidden: boolean) => readonly Found[];
}

export interface FindMcpRulesOptions {
  /** That of one host only. */
  readonly host?: string | undefined;
  /** True if the host sees none of the servers' tools, so rules by tool name do not match either. */
  readonly hidden?: boolean | undefined;
}

/** The rules of hosts for these servers, from the user's settings and those of a project. */
export function findMcpRules(
  servers: readonly string[],
  root: string,
  { host, hidden = false }: FindMcpRulesOptions,
): readonly McpRule[] {
  return ruleFiles(root)
    .filter((file) => (host === undefined || file.host === host) && existsSync(file.path))
    .flatMap(({ host: name, path, read }) =>
      read(readFileSync(path, "utf8"), servers, hidden).map((found) => ({ host: name, file: path, ...found })),
    );
}

function ruleFiles(root: string): readonly RuleFile[] {
  const file = (host: string, read: RuleFile["read"], ...paths: readonly string[]): RuleFile[] =>
    paths.map((path) => ({ host, path, read }));
  const claude = process.env.CLAUDE_CONFIG_DIR || inHome(".claude");
  const openCode = ["opencode.json", "opencode.jsonc"];
  return [
    ...file(
      "claude-code",
      readClaude,
      "/etc/claude-code/managed-settings.json",
      "/Library/Application Support/ClaudeCode/managed-settings.json",
      join(claude, "settings.json"),
      join(root, ".claude", "settings.json"),
      join(root, ".claude", "settings.local.json"),
    ),
    ...file("qwen", readGemini, inHome(".qwen", "settings.json"), join(root, ".qwen", "settings.json")),
    ...file("gemini", readGemini, inHome(".gemini", "settings.json"), join(root, ".gemini", "settings.json")),
    ...file(
      "codex",
      readCodex,
      join(process.env.CODEX_HOME || inHome(".codex"), "config.toml"),
      join(root, ".codex", "config.toml"),
    ),
    ...file(
      "opencode",
      readOpenCode,
      ...openCode.map((name) => join(configHome(), "opencode", name)),
      ...openCode.map((name) => join(root, name)),
    ),
    ...file("cursor", readClaude, inHome(".cursor", "cli-config.json"), join(root, ".cursor", "cli.json")),
  ];
}

/** `permissions` of Claude Code, Qwen Code and Cursor, and hooks by the name of a tool. */
function readClaude(text: string, servers: readonly string[], hidden: boolean): readonly Found[] {
  const settings = readJson(text);
  const permissions = fieldsOf(settings.permissions);
  const rules = (["deny", "ask", "allow"] as const).flatMap((effect) =>
    texts(permissions[effect]).flatMap((rule) => named(rule, servers, hidden).map((found) => ({ ...found, effect }))),
  );
  const matchers = Object.values(fieldsOf(settings.hooks)).flatMap((hooks) =>
    (Array.isArray(hooks) ? hooks : []).map((hook) => String(fieldsOf(hook).matcher ?? "")),
  );
  const hooks = matchers.flatMap((rule) =>
    servers
      .filter((server) => matchesOnlyBefore(rule, server, hidden))
      .map((server) => ({ rule, server, effect: "hook" as const })),
  );
  const denied = (Array.isArray(settings.deniedMcpServers) ? settings.deniedMcpServers : [])
    .map((entry) => String(fieldsOf(entry).serverName ?? ""))
    .filter((server) => servers.includes(server))
    .map((server) => ({ rule: `deniedMcpServers: ${server}`, server, effect: "deny" as const }));
  return [...rules, ...hooks, ...denied];
}

/** Lists of Gemini CLI and Qwen Code in a server's entry and beside it. */
function readGemini(text: string, servers: readonly string[], hidden: boolean): readonly Found[] {
  const settings = readJson(text);
  const entries = fieldsOf(settings.mcpServers);
  const excluded = [...texts(fieldsOf(settings.mcp).excluded), ...texts(settings.excludeMCPServers)];
  const tools = [...texts(fieldsOf(settings.tools).exclude), ...texts(settings.excludeTools)];
  return servers.flatMap((server) => [
    ...["includeTools", "excludeTools"]
      .filter((key) => texts(fieldsOf(entries[server])[key]).length > 0)
      .map((key) => ({ rule: `mcpServers.${server}.${key}`, server, effect: "tools" as const })),
    ...excluded
      .filter((name) => name === server)
      .map((name) => ({ rule: `mcp.excluded: ${name}`, server, effect: "deny" as const })),
    ...tools
      .filter((name) => name.startsWith(`${server}__`) || name.startsWith(`mcp_${server}_`))
      .map((rule) => ({ rule, server, effect: "deny" as const })),
    ...readClaude(text, [server], hidden),
  ]);
}

/** Keys of a server's table in Codex' file. */
function readCodex(text: string, servers: readonly string[]): readonly Found[] {
  const found: Found[] = [];
  let server: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const header = /^\s*\[\s*(?:mcp_servers\.("?)([^"\]]+?)\1(?:\.tools\.[^\]]+)?|.*)\s*\]/.exec(line);
    if (header) server = servers.find((name) => name === header[2]?.replace(/\.tools\..*$/, ""));
    const key = /^\s*(enabled_tools|disabled_tools|default_tools_approval_mode|approval_mode)\s*=/.exec(line)?.[1];
    if (server !== undefined && key !== undefined)
      found.push({ rule: `mcp_servers.${server}: ${line.trim()}`, server, effect: "tools" });
  }
  return found;
}

/** `permission` and `tools` of opencode, by names such as `github_*`. */
function readOpenCode(text: string, servers: readonly string[], hidden: boolean): readonly Found[] {
  const settings = readJson(text);
  const off = Object.entries(fieldsOf(settings.tools)).filter(([, on]) => on === false);
  const rules = Object.entries(fieldsOf(settings.permission)).filter(
    ([, effect]) => effect === "deny" || effect === "ask",
  );
  return [...off, ...rules].flatMap(([rule, effect]) =>
    servers
      .filter((server) => rule.startsWith(`${server}_`) || (hidden && /^\*[^*]/.test(rule)))
      .map((server) => ({
        rule,
        server,
        effect: effect === "ask" ? ("ask" as const) : ("deny" as const),
        ...toolOf(rule.slice(server.length + 1)),
      })),
  );
}

/** The servers that a rule such as `mcp__github__delete_repo` or `Mcp(github:delete_repo)` names. */
function named(rule: string, servers: readonly string[], hidden: boolean): readonly Omit<Found, "effect">[] {
  const [, server, tool] =
    /^mcp__(.+?)(?:__(.*?))?(?:\(.*\))?$/.exec(rule) ?? /^Mcp\(([^:)]+)(?::([^)]*))?\)$/.exec(rule) ?? [];
  if (server === undefined) return [];
  // A rule for every server matches under any name, if it does not name a tool that is hidden.
  if (server === "*" && !(hidden && toolOf(tool ?? "*").tool !== undefined)) return [];
  return servers
    .filter((each) => matchesName(server, each) || matchesName(server, each.replaceAll(/[^\w-]/g, "_")))
    .map((each) => ({ rule, server: each, ...toolOf(tool ?? "*") }));
}

function toolOf(tool: string): { readonly tool?: string } {
  return tool === "*" || tool === "" ? {} : { tool };
}

/** True for a matcher that finds tools of the server under its own name, and not behind another server's. */
function matchesOnlyBefore(matcher: string, server: string, hidden: boolean): boolean {
  if (!matcher.includes("mcp__")) return false;
  try {
    const pattern = new RegExp(`^(?:${matcher})$`);
    const tools = ["x", matcher.split("__").at(-1)?.replace(/\W.*$/, "") ?? ""];
    const behind = (tool: string): string => (hidden ? "mcp__any__call_tool" : `mcp__any__${server}__${tool}`);
    return tools.some((tool) => pattern.test(`mcp__${server}__${tool}`) && !pattern.test(behind(tool)));
  } catch {
    return matcher.includes(`mcp__${server}`);
  }
}

function readJson(text: string): Json {
  return fieldsOf(parse(text.replace(/^\uFEFF/, ""), [], { allowTrailingComma: true }) as unknown);
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
