import path from "node:path";
import { userFolder } from "../platform/folders.ts";

/** Where this user's own configuration lies: `XDG_CONFIG_HOME`, or the platform's place for it. */
export function userConfigFolder(): string {
  return path.join(userFolder("config"), "spillway");
}

/** The user's own config file, whether or not it is there. */
export function userConfigFile(): string {
  return path.join(userConfigFolder(), "config.yaml");
}
