import { type Host, NO_READ_LIMIT, PATIENCE_MS, plainServer, SAFE } from "./host.ts";
import { inHome } from "./user-folders.ts";

/** Only its MCP servers can be reached; its built-in shell stays as it is. */
export const windsurf: Host = {
  name: "windsurf",
  title: "Windsurf",
  folder: () => inHome(".codeium", "windsurf"),
  maxBytes: SAFE,
  ownCut: "not measured",
  readers: ["view_file", "grep_search"],
  largestRead: NO_READ_LIMIT,
  artifacts: "project",
  patienceMs: PATIENCE_MS,
  mcp: {
    format: "json",
    section: "mcpServers",
    userFile: () => inHome(".codeium", "windsurf", "mcp_config.json"),
    render: plainServer,
  },
};
