import { join } from "node:path";
import { type Host, inHome, PATIENCE_MS, SAFE, stdioServer } from "./host.ts";

const folder = (): string => process.env.CLAUDE_CONFIG_DIR || inHome(".claude");
const settings = (): string => join(folder(), "settings.json");
/** Not committed by convention; Claude Code has git ignore it. */
const projectSettings = ".claude/settings.local.json";

export const claudeCode: Host = {
  name: "claude-code",
  title: "Claude Code",
  folder,
  maxBytes: SAFE,
  // A success over its limit goes to a file, and the model gets the first 2 KB; a failed call keeps both ends.
  ownCut: {
    success: { overBytes: 30_000, leavesBytes: 2250 },
    failure: { overBytes: 10_000, leavesBytes: 10_040 },
  },
  readers: ["Read", "Grep"],
  shellTool: "Bash",
  // Read refuses more than 25,000 tokens at once; with offset and limit only a long line is beyond it.
  largestRead: { fileBytes: Number.POSITIVE_INFINITY, lineBytes: 50_000 },
  artifacts: "project",
  patienceMs: PATIENCE_MS,
  earlyMs: 1000,
  mcp: {
    client: {
      name: "claude-code",
      maxBytes: { success: 45_000, failure: 9500 },
      maxMediaBytes: 5_000_000,
      structured: "only",
      toolNames: "mcp__SERVER__TOOL",
      longResultsKey: "anthropic/maxResultSizeChars",
    },
    format: "json",
    section: "mcpServers",
    projectFile: ".mcp.json",
    userFile: () => join(process.env.CLAUDE_CONFIG_DIR || inHome(), ".claude.json"),
    render: stdioServer,
  },
  shell: {
    by: "shell",
    settings,
    projectSettings,
    section: "env",
    key: "CLAUDE_CODE_SHELL",
    programFolder: () => join(folder(), "spillway"),
    // A path that is missing there makes every command fail, and no server starts where it is more than a path.
    formerKey: "CLAUDE_CODE_SHELL_PREFIX",
    lineHolds: "pwd -P >|",
  },
  // Bash is wrapped below its rules, and Read has to stay as it is for edits.
  results: {
    by: "hook",
    events: ["PostToolUse"],
    settings,
    projectSettings,
    matcher: "Grep|WebFetch|WebSearch|Agent|Task|TaskOutput|mcp__.*",
    tools: /^(?:Grep|WebFetch|WebSearch|Agent|Task|TaskOutput|mcp__.+)$/,
    answer: "updated-output",
    saved: {
      phrase: "exceeds maximum allowed tokens",
      path: /exceeds maximum allowed tokens[\s\S]*?saved to (\/\S+?)[.,]?(?:\s|$)/,
      example: (file) => `Error: result exceeds maximum allowed tokens. Output has been saved to ${file}.`,
    },
    timeout: 60,
  },
};
