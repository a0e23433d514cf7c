import { join } from "node:path";
import type { Host } from "./host.ts";
import { opencode, renderLocal } from "./opencode.ts";
import { configHome } from "./user-folders.ts";

/** Built on opencode, with the same plugins in folders of its own. */
export const kilo: Host = {
  ...opencode,
  name: "kilo",
  title: "Kilo",
  folder: () => join(configHome(), "kilo"),
  mcp: {
    format: "json",
    section: "mcp",
    projectFile: "kilo.json",
    userFile: () => join(configHome(), "kilo", "kilo.json"),
    render: renderLocal,
  },
  results: {
    by: "plugin",
    kind: "opencode",
    userFile: () => join(configHome(), "kilo", "plugin", "spillway.js"),
  },
};
