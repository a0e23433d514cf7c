import { join } from "node:path";
import { type Host, NO_READ_LIMIT, PATIENCE_MS, plainServer, SAFE } from "./host.ts";
import { configHome } from "./user-folders.ts";

/** Only its MCP servers can be reached; its built-in shell stays as it is. */
export const zed: Host = {
  name: "zed",
  title: "Zed",
  folder: () => join(configHome(), "zed"),
  maxBytes: SAFE,
  ownCut: "not measured",
  readers: ["read_file", "grep"],
  largestRead: NO_READ_LIMIT,
  artifacts: "project",
  patienceMs: PATIENCE_MS,
  mcp: {
    format: "json",
    section: "context_servers",
    projectFile: ".zed/settings.json",
    userFile: () => join(configHome(), "zed", "settings.json"),
    render: plainServer,
  },
};
