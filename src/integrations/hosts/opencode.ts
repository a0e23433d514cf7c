import { join } from "node:path";
import { configHome, cutAlike, type Host, PATIENCE_MS, SAFE, type ServerEntry } from "./host.ts";

/**
 * opencode stops reading when the command ends, so its own file can lack the last output. The shell wrapper has all of
 * it; the result hook takes opencode's file only if the wrapper cannot run.
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

/** Built on opencode, with the same plugins in folders of its own. */
export const kilo: Host = {
  ...opencode,
  name: "kilo",
  title: "Kilo",
  folder: () => join(configHome(), "kilo"),
  mcp: {
    format: "json",
    section: "mcp",
    projectFile: "kilo.json",
    userFile: () => join(configHome(), "kilo", "kilo.json"),
    render: renderLocal,
  },
  results: {
    by: "plugin",
    kind: "opencode",
    userFile: () => join(configHome(), "kilo", "plugin", "spillway.js"),
  },
};
