import { join } from "node:path";
import { type Host, MCP_ONLY, plainServer } from "./host.ts";
import { configHome } from "./user-folders.ts";

export const zed: Host = {
  name: "zed",
  title: "Zed",
  folder: () => join(configHome(), "zed"),
  ...MCP_ONLY,
  readers: ["read_file", "grep"],
  mcp: {
    format: "json",
    section: "context_servers",
    projectFile: ".zed/settings.json",
    userFile: () => join(configHome(), "zed", "settings.json"),
    render: plainServer,
  },
};
