import { join } from "node:path";
import { cutAlike, type Host, inHome, PATIENCE_MS, plainServer, SAFE } from "./host.ts";

const folder = (): string => process.env.COPILOT_HOME || inHome(".copilot");

/** GitHub Copilot CLI: every file of its hooks folder counts, so ours is one of its own. */
export const copilot: Host = {
  name: "copilot",
  title: "GitHub Copilot CLI",
  folder,
  maxBytes: SAFE,
  // A longer result goes to a file, and the model gets the first 500 characters.
  ownCut: cutAlike({ overBytes: 20_000, leavesBytes: 916 }),
  readers: ["view"],
  lineArgs: "view_range",
  shellTool: "bash",
  // It cuts what is longer than 20 KB.
  largestRead: { fileBytes: Number.POSITIVE_INFINITY, lineBytes: 10_000 },
  artifacts: "project",
  patienceMs: PATIENCE_MS,
  mcp: {
    format: "json",
    section: "mcpServers",
    userFile: () => join(folder(), "mcp-config.json"),
    render: (entry) => ({ type: "local", ...plainServer(entry), tools: ["*"] }),
  },
  results: {
    by: "hook",
    events: ["postToolUse"],
    settings: () => join(folder(), "hooks", "spillway.json"),
    matcher: "bash",
    // Edits need the exact text of what it views.
    tools: /^(?!(?:view|edit|create|str_replace_editor|apply_patch)$)/,
    answer: "modified-result",
    saved: {
      phrase: "Output too large to read at once",
      path: /^Output too large to read at once \([^)\n]*\)\. Saved to: ([^\n]+)/,
      example: (file) => `Output too large to read at once (1 MB). Saved to: ${file}\nConsider`,
    },
    ending: /<shellId: [^>\n]*>\s*$/,
    entry: (command) => ({ type: "command", bash: command, timeoutSec: 60 }),
    timeout: 60,
  },
};
