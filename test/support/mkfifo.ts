import { execFileSync } from "node:child_process";

/** Makes a named pipe. */
export function mkfifoSync(path: string): void {
  execFileSync("mkfifo", [path]);
}
