import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import path from "node:path";

/**
 * Why a file cannot be replaced, as the end of a sentence that begins with its path; undefined if it can. Mode bits count
 * also for root, which could write all the same: a file without a write bit is managed by something else.
 */
export function whyReadOnly(file: string): string | undefined {
  const target = existsSync(file) ? realpathSync(file) : file;
  const linked = target === file ? "" : ` (a link to ${target})`;
  let folder = path.dirname(target);
  while (!existsSync(folder)) folder = path.dirname(folder);
  if (existsSync(target) && !isWritable(target)) return `is read-only${linked}`;
  if (!statSync(folder).isDirectory()) return `cannot be created: ${folder} is not a folder`;
  return isWritable(folder) ? undefined : `lies in ${folder}, which is read-only${linked}`;
}

function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    return (statSync(file).mode & 0o222) !== 0;
  } catch {
    return false;
  }
}
