import { join } from "node:path";
import { type Host, MCP_ONLY, plainServer } from "./host.ts";
import { applicationData } from "./user-folders.ts";

export const claudeDesktop: Host = {
  name: "claude-desktop",
  title: "Claude Desktop",
  folder: () => join(applicationData(), "Claude"),
  ...MCP_ONLY,
  readers: [],
  mcp: {
    format: "json",
    section: "mcpServers",
    userFile: () => join(applicationData(), "Claude", "claude_desktop_config.json"),
    render: plainServer,
  },
};
