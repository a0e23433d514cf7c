import { join } from "node:path";
import { cutAlike, type Host, inHome, NO_READ_LIMIT, plainServer, SAFE } from "./host.ts";

const YIELD_MS = 10_000;
const config = (): string => join(process.env.CODEX_HOME || inHome(".codex"), "config.toml");

export const codex: Host = {
  name: "codex",
  title: "Codex",
  folder: () => process.env.CODEX_HOME || inHome(".codex"),
  maxBytes: SAFE,
  // 10,000 tokens of four bytes, the middle removed.
  ownCut: cutAlike({ overBytes: 40_000, leavesBytes: 40_220 }),
  readers: ["exec_command"],
  shellTool: "exec_command",
  largestRead: NO_READ_LIMIT,
  // Its sandbox mounts .agents read-only, and the user's state folder too.
  artifacts: "project",
  patienceMs: YIELD_MS - 2000,
  earlyMs: 700,
  mcp: {
    client: {
      name: "codex-mcp-client",
      maxBytes: { success: 36_000, failure: 36_000 },
      maxMediaBytes: 5_000_000,
      structured: "only",
      toolNames: "mcp__SERVER__TOOL",
    },
    format: "toml",
    section: "mcp_servers",
    userFile: config,
    render: plainServer,
  },
  shell: {
    by: "bash-env-toml",
    settings: config,
    section: "shell_environment_policy",
    key: "set",
    frame: "__CODEX_SNAPSHOT",
    // Its sandbox refuses bash to look whether a network is on its input, which bash takes for a yes: it then reads
    // ~/.bashrc and not BASH_ENV, unless it is the second shell or a later one.
    besides: { SHLVL: "1" },
  },
};
