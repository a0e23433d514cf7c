import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Where the agents are installed; `SPILLWAY_AGENTS` names a folder with a `node_modules` of its own. */
export const NODE_MODULES = join(
  process.env.SPILLWAY_AGENTS ?? fileURLToPath(new URL("..", import.meta.url)),
  "node_modules",
);

/** The installed version of a package; undefined when it is not there. */
export function installedVersion(name: string): string | undefined {
  const file = join(NODE_MODULES, name, "package.json");
  if (!existsSync(file)) return undefined;
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}
