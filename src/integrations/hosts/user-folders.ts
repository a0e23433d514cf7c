import { homedir } from "node:os";
import { join } from "node:path";
import { userFolder } from "../../platform/folders.ts";

export { applicationData } from "../../platform/folders.ts";

export function configHome(): string {
  // Agents look there on Windows too.
  return process.env.XDG_CONFIG_HOME || inHome(".config");
}

/** A path in the user's home. */
export function inHome(...parts: readonly string[]): string {
  return join(homedir(), ...parts);
}

/** Where programs of this user keep their data: `XDG_DATA_HOME`, or the platform's own. */
export function dataFolder(): string {
  return join(userFolder("data"), "spillway");
}
