import { type Host, NO_READ_LIMIT, PATIENCE_MS, plainServer, SAFE } from "./host.ts";
import { inHome } from "./user-folders.ts";

/** Only its MCP servers can be reached; its built-in shell stays as it is. */
export const cline: Host = {
  name: "cline",
  title: "Cline",
  folder: () => inHome(".cline"),
  maxBytes: SAFE,
  ownCut: "not measured",
  readers: ["read_file", "search_files"],
  largestRead: NO_READ_LIMIT,
  artifacts: "project",
  patienceMs: PATIENCE_MS,
  mcp: {
    format: "json",
    section: "mcpServers",
    userFile: () => inHome(".cline", "data", "settings", "cline_mcp_settings.json"),
    render: plainServer,
  },
};
