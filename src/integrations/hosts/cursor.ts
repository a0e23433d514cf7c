import { type Host, MCP_ONLY, plainServer } from "./host.ts";
import { inHome } from "./user-folders.ts";

export const cursor: Host = {
  name: "cursor",
  title: "Cursor",
  folder: () => inHome(".cursor"),
  ...MCP_ONLY,
  readers: ["read_file", "grep"],
  mcp: {
    format: "json",
    section: "mcpServers",
    projectFile: ".cursor/mcp.json",
    userFile: () => inHome(".cursor", "mcp.json"),
    render: plainServer,
  },
};
