import { type Host, MCP_ONLY, plainServer } from "./host.ts";
import { inHome } from "./user-folders.ts";

export const windsurf: Host = {
  name: "windsurf",
  title: "Windsurf",
  folder: () => inHome(".codeium", "windsurf"),
  ...MCP_ONLY,
  readers: ["view_file", "grep_search"],
  mcp: {
    format: "json",
    section: "mcpServers",
    userFile: () => inHome(".codeium", "windsurf", "mcp_config.json"),
    render: plainServer,
  },
};
