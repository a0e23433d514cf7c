import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Host, MCP_ONLY, plainServer } from "./host.ts";
import { applicationData, inHome } from "./user-folders.ts";

/** Of its command line, and of its extension for VS Code; each has a file of its own. */
const FOLDERS = [
  () => inHome(".cline", "data"),
  () => join(applicationData(), "Code", "User", "globalStorage", "saoudrizwan.claude-dev"),
] as const;

/** The one that is there; that of the command line where none or both are. */
function folder(): string {
  return (FOLDERS.find((one) => existsSync(one())) ?? FOLDERS[0])();
}

export const cline: Host = {
  name: "cline",
  title: "Cline",
  folder,
  ...MCP_ONLY,
  readers: ["read_file", "search_files"],
  mcp: {
    format: "json",
    section: "mcpServers",
    userFile: () => join(folder(), "settings", "cline_mcp_settings.json"),
    render: plainServer,
  },
};
