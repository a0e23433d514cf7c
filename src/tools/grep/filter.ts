import path from "node:path";
import { createGlobMatcher } from "../files/glob-matcher.ts";

/** A filter of files: what ripgrep can do with it, and the test that decides. */
export interface GrepFilter {
  readonly args: readonly string[];
  readonly accepts: (path: string) => boolean;
}

/**
 * Turns a glob into a filter. ripgrep's own --glob overrides .gitignore, so it gets the last part of the pattern, where
 * both understand it alike, as a file type, which does not; the whole pattern is checked on what it finds.
 */
export function grepFilter(glob: string | undefined): GrepFilter {
  if (glob === undefined) return { args: [], accepts: () => true };
  const negated = glob.startsWith("!");
  const pattern = negated ? glob.slice(1) : glob;
  const whole = createGlobMatcher(pattern.includes("/") ? pattern : `**/${pattern}`, { parameter: "glob", dot: true });
  if (negated) return { args: [], accepts: (file) => !whole(file) };
  const name = path.posix.basename(pattern);
  const isPlain = /^[\w.*?-]+$/.test(name) && name !== "**" && !/[{}()[\]]/.test(pattern);
  const isPlainChoice = !pattern.includes("/") && /^[\w.*?-]*\{[\w.*?,-]+\}[\w.*?-]*$/.test(name);
  return { args: isPlain || isPlainChoice ? ["--type-add", `chosen:${name}`, "--type", "chosen"] : [], accepts: whole };
}
