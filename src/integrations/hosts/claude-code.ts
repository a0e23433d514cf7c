import { join } from "node:path";
import { type Host, PATIENCE_MS, SAFE, stdioServer } from "./host.ts";
import { inHome } from "./user-folders.ts";

const settings = (): string => join(process.env.CLAUDE_CONFIG_DIR || inHome(".claude"), "settings.json");
/** Not committed by convention; Claude Code has git ignore it. */
const projectSettings = ".claude/settings.local.json";

export const claudeCode: Host = {
  name: "claude-code",
  title: "Claude Code",
  folder: () => process.env.CLAUDE_CONFIG_DIR || inHome(".claude"),
  maxBytes: SAFE,
  ownCut: "30,000 characters of a success, 10,000 of a failed call",
  readers: ["Read", "Grep"],
  shellTool: "Bash",
  // Read refuses more than 25,000 tokens at once; with offset and limit only a long line is beyond it.
  largestRead: { fileBytes: Number.POSITIVE_INFINITY, lineBytes: 50_000 },
  artifacts: "project",
  patienceMs: PATIENCE_MS,
  mcp: {
    clientName: "claude-code",
    format: "json",
    section: "mcpServers",
    projectFile: ".mcp.json",
    userFile: () => inHome(".claude.json"),
    render: stdioServer,
  },
  shell: {
    by: "prefix",
    settings,
    projectSettings,
    section: "env",
    key: "CLAUDE_CODE_SHELL_PREFIX",
    lineHolds: "pwd -P >|",
  },
};
