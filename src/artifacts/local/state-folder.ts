import { basename, join } from "node:path";
import { cryptoModule } from "../../builtin-modules.ts";
import { userFolder } from "../../platform/folders.ts";

/** The folder of this user in which programs keep their state: `XDG_STATE_HOME`, or the platform's own. */
export function stateFolder(): string {
  return join(userFolder("state"), "spillway");
}

/** Where the artifacts of a root go when they cannot be written below it; each root has a folder of its own. */
export function stateArtifactDir(root: string): string {
  const digest = cryptoModule().createHash("sha256").update(root).digest("hex").slice(0, 12);
  const name = basename(root)
    .replaceAll(/[^\w.-]/g, "_")
    .slice(0, 40);
  return join(stateFolder(), "tool-output", name === "" ? digest : `${name}-${digest}`);
}
