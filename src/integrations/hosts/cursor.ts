import { type Host, NO_READ_LIMIT, PATIENCE_MS, plainServer, SAFE } from "./host.ts";
import { inHome } from "./user-folders.ts";

/** Only its MCP servers can be reached; its built-in shell stays as it is. */
export const cursor: Host = {
  name: "cursor",
  title: "Cursor",
  folder: () => inHome(".cursor"),
  maxBytes: SAFE,
  ownCut: "not measured",
  readers: ["read_file", "grep"],
  largestRead: NO_READ_LIMIT,
  artifacts: "project",
  patienceMs: PATIENCE_MS,
  mcp: {
    format: "json",
    section: "mcpServers",
    projectFile: ".cursor/mcp.json",
    userFile: () => inHome(".cursor", "mcp.json"),
    render: plainServer,
  },
};
