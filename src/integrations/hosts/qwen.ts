import { cutAlike, type Host, inHome, PATIENCE_MS, plainServer, SAFE } from "./host.ts";

export const qwen: Host = {
  name: "qwen",
  title: "Qwen Code",
  folder: () => inHome(".qwen"),
  maxBytes: SAFE,
  ownCut: cutAlike({ overBytes: 25_000, leavesBytes: 4490 }),
  readers: ["read_file", "grep_search"],
  lineArgs: "offset_from_0",
  shellTool: "run_shell_command",
  largestRead: { fileBytes: 10 * 1024 * 1024, lineBytes: 2000 },
  artifacts: "user",
  patienceMs: PATIENCE_MS,
  terminal: "wrap",
  mcp: {
    client: {
      name: "qwen-cli-mcp-client",
      // An error is written as JSON, twice.
      maxBytes: { success: 22_000, failure: 10_000 },
      maxMediaBytes: 5_000_000,
      structured: "beside",
      toolNames: "mcp__SERVER__TOOL",
    },
    format: "json",
    section: "mcpServers",
    projectFile: ".qwen/settings.json",
    userFile: () => inHome(".qwen", "settings.json"),
    render: plainServer,
  },
  // Since 0.21.10 it refuses BASH_ENV in its files. Its own preview of a long output has 4,000 characters and names the
  // file of the whole; the hook adds what matters of that.
  results: {
    by: "hook",
    events: ["PostToolUse", "PostToolUseFailure"],
    settings: () => inHome(".qwen", "settings.json"),
    matcher: "run_shell_command",
    tools: /^run_shell_command$/,
    answer: "add-context",
    saved: {
      phrase: "Tool output was too large and has been truncated.",
      // At the very start only: what a command prints comes later.
      path: /^Tool output was too large and has been truncated\.\nThe full output has been saved to: ([^\n]+)/,
      example: (file) =>
        `Tool output was too large and has been truncated.\nThe full output has been saved to: ${file}\n`,
    },
    timeout: 60_000,
    frame: {
      head: /^Command: [\s\S]*?\nDirectory: [^\n]*\nOutput: /,
      tail: /(?:(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): [^\n]*\n?)*$/,
    },
    maxBytes: 4700,
  },
  readable: () => inHome(".qwen", "settings.json"),
  formerEnvFile: () => inHome(".qwen", ".env"),
};
