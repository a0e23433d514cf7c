import { type Host, MCP_ONLY, plainServer } from "./host.ts";
import { inHome } from "./user-folders.ts";

export const cline: Host = {
  name: "cline",
  title: "Cline",
  folder: () => inHome(".cline"),
  ...MCP_ONLY,
  readers: ["read_file", "search_files"],
  mcp: {
    format: "json",
    section: "mcpServers",
    userFile: () => inHome(".cline", "data", "settings", "cline_mcp_settings.json"),
    render: plainServer,
  },
};
