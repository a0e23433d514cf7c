import { join } from "node:path";
import { cutAlike, type Host, PATIENCE_MS, SAFE, type ServerEntry } from "./host.ts";
import { configHome } from "./user-folders.ts";

/**
 * It reads a command's output no further once the command has ended, so now and then its own file lacks the rest; the
 * front below its shell has it all. Where that cannot run, the result hook takes the file.
 */
export const opencode: Host = {
  name: "opencode",
  title: "opencode",
  folder: () => join(configHome(), "opencode"),
  maxBytes: SAFE,
  ownCut: cutAlike({ overBytes: 51_200, overLines: 2000, leavesBytes: 51_330 }),
  readers: ["read", "grep"],
  shellTool: "bash",
  largestRead: { fileBytes: Number.POSITIVE_INFINITY, lineBytes: 2000 },
  artifacts: "project",
  patienceMs: PATIENCE_MS,
  mcp: {
    client: {
      name: "opencode",
      maxBytes: { success: 48_000, failure: 48_000 },
      maxMediaBytes: 5_000_000,
      toolNames: "SERVER_TOOL",
    },
    format: "json",
    section: "mcp",
    projectFile: "opencode.json",
    userFile: () => join(configHome(), "opencode", "opencode.json"),
    render: renderLocal,
  },
  shell: { by: "plugin" },
  results: {
    by: "plugin",
    kind: "opencode",
    userFile: () => join(configHome(), "opencode", "plugin", "spillway.js"),
  },
};

/** A server as opencode and Kilo write it. */
export function renderLocal({ command, args }: ServerEntry): Record<string, unknown> {
  return { type: "local", command: [command, ...args], enabled: true };
}
