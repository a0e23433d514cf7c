import { homedir } from "node:os";
import { join } from "node:path";

type Environment = Readonly<Record<string, string | undefined>>;

/** Where a platform keeps what; the first name of a Windows place is the variable that may say otherwise. */
const PLACES = {
  config: { variable: "XDG_CONFIG_HOME", other: [".config"], windows: ["APPDATA", "AppData", "Roaming"] },
  state: {
    variable: "XDG_STATE_HOME",
    other: [".local", "state"],
    macos: ["Library", "Application Support"],
    windows: ["LOCALAPPDATA", "AppData", "Local"],
  },
  data: {
    variable: "XDG_DATA_HOME",
    other: [".local", "share"],
    macos: ["Library", "Application Support"],
    windows: ["LOCALAPPDATA", "AppData", "Local"],
  },
  cache: {
    variable: "XDG_CACHE_HOME",
    other: [".cache"],
    macos: ["Library", "Caches"],
    windows: ["LOCALAPPDATA", "AppData", "Local"],
  },
} as const;

/** The folder of this user in which programs keep things of a kind: as XDG's variable says, or the platform's own. */
export function userFolder(
  kind: keyof typeof PLACES,
  env: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  const place = PLACES[kind];
  // An empty variable counts as none: joined to a path it would name the current folder.
  const said = env[place.variable];
  if (said) return said;
  const home = env.HOME || homedir();
  if (platform === "win32") {
    const [variable, ...below] = place.windows;
    return env[variable] || join(home, ...below);
  }
  return join(home, ...(platform === "darwin" && "macos" in place ? place.macos : place.other));
}

/** Where graphical programs keep their settings. */
export function applicationData(env: Environment = process.env, platform: NodeJS.Platform = process.platform): string {
  if (platform !== "darwin" && platform !== "win32") return userFolder("config", env, platform);
  const home = env.HOME || homedir();
  if (platform === "darwin") return join(home, "Library", "Application Support");
  return env.APPDATA || join(home, "AppData", "Roaming");
}
