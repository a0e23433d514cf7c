import { homedir } from "node:os";
import { join } from "node:path";
import { SpillwayError } from "../../errors.ts";

/** How a host's file names a server. */
export interface HostEntry {
  readonly command: string;
  readonly args: readonly string[];
}

export interface Host {
  readonly title: string;
  readonly format: "json" | "toml";
  /** The object or table that holds the servers. */
  readonly section: string;
  /** File below the project's root; undefined when the host has only a file of the user's. */
  readonly projectFile?: string;
  readonly userFile: () => string;
  readonly render: (entry: HostEntry) => Readonly<Record<string, unknown>>;
}

const plain = ({ command, args }: HostEntry): Record<string, unknown> => ({ command, args: [...args] });

const HOSTS: Readonly<Record<string, Host>> = {
  "claude-code": {
    title: "Claude Code",
    format: "json",
    section: "mcpServers",
    projectFile: ".mcp.json",
    userFile: () => join(homedir(), ".claude.json"),
    render: (entry) => ({ type: "stdio", ...plain(entry) }),
  },
  "claude-desktop": {
    title: "Claude Desktop",
    format: "json",
    section: "mcpServers",
    userFile: () => join(applicationData(), "Claude", "claude_desktop_config.json"),
    render: plain,
  },
  cursor: {
    title: "Cursor",
    format: "json",
    section: "mcpServers",
    projectFile: ".cursor/mcp.json",
    userFile: () => join(homedir(), ".cursor", "mcp.json"),
    render: plain,
  },
  vscode: {
    title: "VS Code",
    format: "json",
    section: "servers",
    projectFile: ".vscode/mcp.json",
    userFile: () => join(applicationData(), "Code", "User", "mcp.json"),
    render: (entry) => ({ type: "stdio", ...plain(entry) }),
  },
  codex: {
    title: "Codex",
    format: "toml",
    section: "mcp_servers",
    userFile: () => join(process.env.CODEX_HOME || join(homedir(), ".codex"), "config.toml"),
    render: plain,
  },
  gemini: {
    title: "Gemini CLI",
    format: "json",
    section: "mcpServers",
    projectFile: ".gemini/settings.json",
    userFile: () => join(homedir(), ".gemini", "settings.json"),
    render: plain,
  },
  opencode: {
    title: "opencode",
    format: "json",
    section: "mcp",
    projectFile: "opencode.json",
    userFile: () => join(configHome(), "opencode", "opencode.json"),
    render: ({ command, args }) => ({ type: "local", command: [command, ...args], enabled: true }),
  },
};

export const HOST_NAMES: readonly string[] = Object.keys(HOSTS);

export function findHost(name: string): Host {
  const host = Object.hasOwn(HOSTS, name) ? HOSTS[name] : undefined;
  if (host) return host;
  throw new SpillwayError(
    "INVALID_ARGUMENT",
    `Unknown host ${JSON.stringify(name)}; known are ${HOST_NAMES.join(", ")}.`,
  );
}

// An empty variable counts as none: joined to a path it would name the current folder.

function applicationData(): string {
  if (process.platform === "darwin") return join(homedir(), "Library", "Application Support");
  if (process.platform === "win32") return process.env.APPDATA || join(homedir(), "AppData", "Roaming");
  return configHome();
}

function configHome(): string {
  return process.env.XDG_CONFIG_HOME || join(homedir(), ".config");
}
