import { closeSync, constants, linkSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cryptoModule } from "../builtin-modules.ts";
import { errorCode } from "./store-failure.ts";

const DRAFT = /^\.gitignore\.[0-9a-f]{12}$/;

/**
 * Writes our `.gitignore` into a folder atomically, and completes one that a full disk cut off. Somebody
 * else's file is left unchanged.
 */
export function writeIgnoreFile(folder: string, content: string): void {
  const path = join(folder, ".gitignore");
  const there = readOwn(path);
  if (there !== undefined && (there === content || !content.startsWith(there))) return;
  const draft = `${path}.${cryptoModule().randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(draft, content, { flag: "wx", mode: 0o600 });
    if (there === undefined) linkSync(draft, path);
    else renameSync(draft, path);
  } catch (error) {
    const code = errorCode(error) ?? "";
    if (["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(code)) renameSync(draft, path);
    else if (code !== "EEXIST") throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** True for a name that only `writeIgnoreFile` gives. */
export function isIgnoreFileName(name: string): boolean {
  return name === ".gitignore" || DRAFT.test(name);
}

/** The existing file's text; undefined if there is none. A link or folder of that name is somebody else's. */
function readOwn(path: string): string | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    return errorCode(error) === "ENOENT" ? undefined : "not ours";
  }
  try {
    return readFileSync(descriptor, "utf8");
  } catch {
    return "not ours";
  } finally {
    closeSync(descriptor);
  }
}
