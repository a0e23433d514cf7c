import type { Stats } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { PLATFORM, platformOf } from "./platform.ts";

/** The relative path from a folder down to a location, POSIX, empty for the folder itself; undefined outside of it. */
export function pathBelow(folder: string, location: string, platform?: NodeJS.Platform): string | undefined {
  const { relative, isAbsolute, sep } = (platform === undefined ? PLATFORM : platformOf(platform)).path;
  const parts = relative(folder, location).split(sep);
  return parts[0] === ".." || isAbsolute(parts.join(sep)) ? undefined : parts.join("/");
}

type Owned = Pick<Stats, "uid" | "mode">;

const WORLD_WRITABLE = 0o002;
const STICKY = 0o1000;

/**
 * True if a file belongs to another user than this one and root. With sudo, the calling user's files count as own.
 * Always false on Windows, which has no owners to ask for.
 */
export function isForeign({ uid }: Owned): boolean {
  const own = process.getuid?.();
  if (own === undefined || uid === own || uid === 0) return false;
  return own !== 0 || String(uid) !== process.env.SUDO_UID;
}

/** True for a folder in which other users can replace files: one owned by them, or writable by everybody. */
export function isShared(folder: Owned): boolean {
  return (
    isForeign(folder) || (process.getuid !== undefined && (folder.mode & (WORLD_WRITABLE | STICKY)) === WORLD_WRITABLE)
  );
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Each platform's folders; the first name of a Windows path is the variable that overrides it. */
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

/** The user's folder of a kind: from its XDG variable, or the platform's default. */
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
