import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { basename, join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** The folder of this user in which programs keep their state: `XDG_STATE_HOME`, or the platform's own. */
export function stateFolder(env: Environment = process.env, platform: NodeJS.Platform = process.platform): string {
  // An empty variable counts as none: joined to a path it would name the current folder.
  if (env.XDG_STATE_HOME) return join(env.XDG_STATE_HOME, "spillway");
  const home = env.HOME || homedir();
  if (platform === "darwin") return join(home, "Library", "Application Support", "spillway");
  if (platform === "win32") return join(env.LOCALAPPDATA || join(home, "AppData", "Local"), "spillway");
  return join(home, ".local", "state", "spillway");
}

/** Where the artifacts of a root go when they cannot be written below it; each root has a folder of its own. */
export function stateArtifactDir(root: string): string {
  const digest = createHash("sha256").update(root).digest("hex").slice(0, 12);
  const name = basename(root)
    .replaceAll(/[^\w.-]/g, "_")
    .slice(0, 40);
  return join(stateFolder(), "tool-output", name === "" ? digest : `${name}-${digest}`);
}
