import { join } from "node:path";
import { type Host, NO_READ_LIMIT, plainServer, SAFE } from "./host.ts";
import { inHome } from "./user-folders.ts";

const YIELD_MS = 10_000;
const config = (): string => join(process.env.CODEX_HOME || inHome(".codex"), "config.toml");

export const codex: Host = {
  name: "codex",
  title: "Codex",
  folder: () => process.env.CODEX_HOME || inHome(".codex"),
  maxBytes: SAFE,
  ownCut: "10,000 tokens, the middle removed",
  readers: ["exec_command"],
  shellTool: "exec_command",
  largestRead: NO_READ_LIMIT,
  // Its sandbox mounts .agents read-only, and the user's state folder too.
  artifacts: "project",
  patienceMs: YIELD_MS - 2000,
  mcp: {
    clientName: "codex-mcp-client",
    format: "toml",
    section: "mcp_servers",
    userFile: config,
    render: plainServer,
  },
  shell: { by: "bash-env-toml", settings: config, section: "shell_environment_policy", key: "set" },
};
