import { join } from "node:path";
import { type Host, MCP_ONLY, stdioServer } from "./host.ts";
import { applicationData } from "./user-folders.ts";

export const vscode: Host = {
  name: "vscode",
  title: "VS Code",
  folder: () => join(applicationData(), "Code"),
  ...MCP_ONLY,
  readers: ["read_file", "grep_search"],
  mcp: {
    format: "json",
    section: "servers",
    projectFile: ".vscode/mcp.json",
    userFile: () => join(applicationData(), "Code", "User", "mcp.json"),
    render: stdioServer,
  },
};
