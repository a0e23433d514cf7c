import { lessThan, moreThan, type Sample } from "../sample.ts";

/** A path, alone on its line. */
export const PATH = /^(?:\.{0,2}\/)?[\w.@+~[\](){}$#=,&%!-]+(?:[/\\][\w.@+~[\](){}$#=,&%! -]+)*[/\\*@|]?$/;
/** "[12/90] Compiling a/b.swift" */
const PROGRESS = /^\[\s*\d+(?:\/\d+|\s*%)\]/;
const LONG_LISTING =
  /^(?:[bcdlps-][rwxsStT-]{9}[.+@]?\s|\d{6} (?:blob|tree|commit) [0-9a-f]{40}|total \d+$|[│├└| `]+[─-]{2} )/;
const FOLDER_HEADING = /^(?:[\w.@+~$-][^:]*|\/[^:]*):$/;
/** `find -printf '%s %p'`, `du`, `wc -l`: the size stands first. */
const SIZE = /^\s*\d[\d.,]*[KMGT]?\s+(?=\S)/;

/** `find`, `ls`, `tree`, `du` and others, with or without sizes and modes. */
export function looksLikeListing({ lines, filled }: Sample): boolean {
  return moreThan(0.7, filled, LONG_LISTING) || looksLikePaths(filled) || looksLikeFolders(lines);
}

function looksLikePaths(listed: readonly string[]): boolean {
  const sized = moreThan(0.9, listed, SIZE);
  const lines = sized ? listed.map((line) => line.replace(SIZE, "")) : listed;
  if (lessThan(0.92, lines, PATH) || !lessThan(0.1, lines, PROGRESS) || isBlob(lines)) return false;
  return lines.filter((line) => PATH.test(line) && /[/\\]|\.\w{1,5}$/.test(line)).length / lines.length > 0.6;
}

/** `ls -R`: names below the folders that they are in, which blank lines part. */
function looksLikeFolders(lines: readonly string[]): boolean {
  const headings = lines.filter(
    (line, index) => FOLDER_HEADING.test(line) && (index === 0 || lines[index - 1] === ""),
  ).length;
  if (headings < 2) return false;
  const first = lines[0] ?? "";
  const below = lines.filter((line) => line.includes("/") && FOLDER_HEADING.test(line)).length;
  if (!FOLDER_HEADING.test(first) || below === 0) return false;
  const filled = lines.filter((line) => line !== "" && !FOLDER_HEADING.test(line));
  return !lessThan(0.95, filled, PATH) && filled.every((line) => !line.endsWith(":"));
}

/** Base64 and the like: lines of one length without a point. */
function isBlob(lines: readonly string[]): boolean {
  const { length } = lines[0] ?? "";
  return (
    length > 50 && lines.filter((line) => line.length === length && !line.includes(".")).length > 0.8 * lines.length
  );
}
