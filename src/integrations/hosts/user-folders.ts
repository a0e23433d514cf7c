import { homedir } from "node:os";
import { join } from "node:path";

// An empty variable counts as none: joined to a path it would name the current folder.

/** Where graphical programs keep their settings. */
export function applicationData(): string {
  if (process.platform === "darwin") return join(homedir(), "Library", "Application Support");
  if (process.platform === "win32") return process.env.APPDATA || join(homedir(), "AppData", "Roaming");
  return configHome();
}

export function configHome(): string {
  return process.env.XDG_CONFIG_HOME || join(homedir(), ".config");
}

/** A path in the user's home. */
export function inHome(...parts: readonly string[]): string {
  return join(homedir(), ...parts);
}

/** Where programs of this user keep their data: `XDG_DATA_HOME`, or the platform's own. */
export function dataFolder(): string {
  if (process.env.XDG_DATA_HOME) return join(process.env.XDG_DATA_HOME, "spillway");
  if (process.platform === "darwin") return inHome("Library", "Application Support", "spillway");
  if (process.platform === "win32") return join(process.env.LOCALAPPDATA || inHome("AppData", "Local"), "spillway");
  return inHome(".local", "share", "spillway");
}
