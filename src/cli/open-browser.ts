import { spawn } from "node:child_process";
import { PLATFORM } from "../platform/platform.ts";

/** Opens the user's browser; where there is none the printed address is enough. */
export function openBrowser(address: string): void {
  const [program, ...args] = PLATFORM.browser(address);
  const child = spawn(program, args, { stdio: "ignore", detached: true });
  child.on("error", () => undefined);
  child.unref();
}
