import { existsSync } from "node:fs";
import { join } from "node:path";
import { invalidArgument } from "../../errors.ts";
import { guessName } from "../../limits/near-name.ts";
import type { FindClient, McpClient } from "../mcp-shared/mcp-client.ts";
import { MAX_MEDIA_BYTES } from "../mcp-shared/read-artifact.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { continueCli } from "./continue.ts";
import { copilot } from "./copilot.ts";
import { gemini } from "./gemini.ts";
import {
  applicationData,
  configHome,
  type Host,
  inHome,
  type McpPlace,
  NO_READ_LIMIT,
  PATIENCE_MS,
  plainServer,
  SAFE,
  stdioServer,
} from "./host.ts";
import { kilo, opencode } from "./opencode.ts";
import { pi } from "./pi.ts";
import { qwen } from "./qwen.ts";

/** A host whose MCP servers are the only part that can be reached. Its built-in shell was not measured. */
function mcpOnly(
  host: Pick<Host, "name" | "title" | "folder" | "readers">,
  mcp: Pick<McpPlace, "userFile"> & Partial<McpPlace>,
): Host {
  return {
    ...host,
    maxBytes: SAFE,
    largestRead: NO_READ_LIMIT,
    artifacts: "project",
    patienceMs: PATIENCE_MS,
    mcp: { format: "json", section: "mcpServers", render: plainServer, ...mcp },
  };
}

/** Cline's command line, and its extension for VS Code; each has a file of its own. */
const CLINE_FOLDERS = [
  () => inHome(".cline", "data"),
  () => join(applicationData(), "Code", "User", "globalStorage", "saoudrizwan.claude-dev"),
] as const;

/** The folder that exists; the command line's if neither or both exist. */
function clineFolder(): string {
  return (CLINE_FOLDERS.find((one) => existsSync(one())) ?? CLINE_FOLDERS[0])();
}

export const MCP_ONLY_HOSTS: readonly Host[] = [
  mcpOnly(
    { name: "cursor", title: "Cursor", folder: () => inHome(".cursor"), readers: ["read_file", "grep"] },
    { projectFile: ".cursor/mcp.json", userFile: () => inHome(".cursor", "mcp.json") },
  ),
  mcpOnly(
    {
      name: "vscode",
      title: "VS Code",
      folder: () => join(applicationData(), "Code"),
      readers: ["read_file", "grep_search"],
    },
    {
      section: "servers",
      projectFile: ".vscode/mcp.json",
      userFile: () => join(applicationData(), "Code", "User", "mcp.json"),
      render: stdioServer,
    },
  ),
  mcpOnly(
    { name: "cline", title: "Cline", folder: clineFolder, readers: ["read_file", "search_files"] },
    { userFile: () => join(clineFolder(), "settings", "cline_mcp_settings.json") },
  ),
  mcpOnly(
    {
      name: "windsurf",
      title: "Windsurf",
      folder: () => inHome(".codeium", "windsurf"),
      readers: ["view_file", "grep_search"],
    },
    { userFile: () => inHome(".codeium", "windsurf", "mcp_config.json") },
  ),
  mcpOnly(
    {
      name: "claude-desktop",
      title: "Claude Desktop",
      folder: () => join(applicationData(), "Claude"),
      readers: [],
    },
    { userFile: () => join(applicationData(), "Claude", "claude_desktop_config.json") },
  ),
  mcpOnly(
    { name: "zed", title: "Zed", folder: () => join(configHome(), "zed"), readers: ["read_file", "grep"] },
    {
      section: "context_servers",
      projectFile: ".zed/settings.json",
      userFile: () => join(configHome(), "zed", "settings.json"),
    },
  ),
];

/** Every agent that Spillway knows. */
export const HOSTS: readonly Host[] = [
  claudeCode,
  codex,
  opencode,
  gemini,
  qwen,
  pi,
  copilot,
  continueCli,
  kilo,
  ...MCP_ONLY_HOSTS,
];

export const HOST_NAMES: readonly string[] = HOSTS.map(({ name }) => name);

export function findHost(name: string): Host {
  const host = HOSTS.find((one) => one.name === name);
  if (host) return host;
  throw invalidArgument(
    `there is no agent called ${JSON.stringify(name)}.${guessName(name, HOST_NAMES)} Known: ${HOST_NAMES.join(", ")}.`,
  );
}

/** Finds an MCP client by the name in its `clientInfo`. */
export const findClient: FindClient = (name) =>
  HOSTS.map(({ mcp }) => mcp?.client).find((client) => client !== undefined && name.startsWith(client.name));

/** An agent's MCP client; one that was not measured gets limits that are safe everywhere. */
export function clientOfHost(name: string): McpClient {
  const { mcp, maxBytes } = findHost(name);
  return mcp?.client ?? { name, maxBytes, maxMediaBytes: MAX_MEDIA_BYTES };
}
