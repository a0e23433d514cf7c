import { join } from "node:path";
import { type Host, NO_READ_LIMIT, PATIENCE_MS, SAFE, stdioServer } from "./host.ts";
import { applicationData } from "./user-folders.ts";

/** Only its MCP servers can be reached; its built-in shell stays as it is. */
export const vscode: Host = {
  name: "vscode",
  title: "VS Code",
  folder: () => join(applicationData(), "Code"),
  maxBytes: SAFE,
  ownCut: "not measured",
  readers: ["read_file", "grep_search"],
  largestRead: NO_READ_LIMIT,
  artifacts: "project",
  patienceMs: PATIENCE_MS,
  mcp: {
    format: "json",
    section: "servers",
    projectFile: ".vscode/mcp.json",
    userFile: () => join(applicationData(), "Code", "User", "mcp.json"),
    render: stdioServer,
  },
};
