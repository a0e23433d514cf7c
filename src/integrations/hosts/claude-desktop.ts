import { join } from "node:path";
import { type Host, NO_READ_LIMIT, PATIENCE_MS, plainServer, SAFE } from "./host.ts";
import { applicationData } from "./user-folders.ts";

/** Only its MCP servers can be reached; its built-in shell stays as it is. */
export const claudeDesktop: Host = {
  name: "claude-desktop",
  title: "Claude Desktop",
  folder: () => join(applicationData(), "Claude"),
  maxBytes: SAFE,
  ownCut: "not measured",
  readers: [],
  largestRead: NO_READ_LIMIT,
  artifacts: "project",
  patienceMs: PATIENCE_MS,
  mcp: {
    format: "json",
    section: "mcpServers",
    userFile: () => join(applicationData(), "Claude", "claude_desktop_config.json"),
    render: plainServer,
  },
};
