import path from "node:path";
import picomatch from "picomatch";
import { checkClosed } from "./check-closed.ts";

/** A filter of files: what ripgrep can do with it, and the test that decides. */
export interface GrepFilter {
  readonly args: readonly string[];
  readonly accepts: (path: string) => boolean;
}

/**
 * Turns a glob into a filter. ripgrep's own --glob overrides .gitignore, so it gets the last part of the pattern as a
 * file type, which does not; the whole pattern is checked on what it finds.
 */
export function grepFilter(glob: string | undefined): GrepFilter {
  if (glob === undefined) return { args: [], accepts: () => true };
  checkClosed("glob", glob);
  const negated = glob.startsWith("!");
  const pattern = negated ? glob.slice(1) : glob;
  const whole = picomatch(pattern.includes("/") ? pattern : `**/${pattern}`, { dot: true, posix: true });
  if (negated) return { args: [], accepts: (file) => !whole(file) };
  const name = path.posix.basename(pattern);
  const splitsInsideBraces = pattern.includes("/") && /[{}()]/.test(pattern);
  const args = splitsInsideBraces || name === "**" ? [] : ["--type-add", `chosen:${name}`, "--type", "chosen"];
  return { args, accepts: whole };
}
