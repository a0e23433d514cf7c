const ESCAPES = /\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07]*\x07|\x1b[@-Z\\-_]|\x1b[=>78]/g;
const STAMP = /^\ufeff?\s*\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z ?/;
/** A match of a search, and a path: both may be shown below a line that names the file or the folder. */
const MATCH = /^(?:\.\/)?([^\s:]+):(\d+)[:-]\s?(.*)$/;
const PATH = /^(?:\.\/)?(\S*)\/([^/\s]+\/?)$/;
/** How far below the line that names it a file's match or a folder's entry may stand. */
const MOST_BELOW = 200;

/** A line as a terminal leaves it, without the time that a runner put before it, blanks as one. */
export function shownLine(line) {
  const last =
    line
      .replace(ESCAPES, "")
      .split("\r")
      .filter((part) => part.trim())
      .pop() ?? "";
  return last.replace(STAMP, "").replace(/\s+/g, " ").trim();
}

/**
 * For each key whether its whole text stands in a preview: within one line, anywhere where the key has no line, or below
 * the line that names its file or folder.
 */
export function keptKeys(keys, preview) {
  const rows = preview.split("\n").map(shownLine);
  const lines = rows.join("\n");
  const flat = preview.replace(ESCAPES, "").replace(/\s+/g, " ");
  return keys.map(({ line, text }) => (line == null ? flat : lines).includes(text) || isGrouped(text, rows));
}

function isGrouped(text, rows) {
  const match = MATCH.exec(text);
  if (match !== null) {
    const [, file, number, said] = match;
    return standsBelow(rows, file, (row) => row.startsWith(number) && row.includes(said.trim()));
  }
  const path = PATH.exec(text);
  if (path === null) return false;
  const [, folder, name] = path;
  return standsBelow(rows, folder, (row) => row.split(/[\s,]+/).includes(name));
}

function standsBelow(rows, heading, test) {
  return rows.some((row, at) => row.includes(heading) && rows.slice(at, at + MOST_BELOW).some(test));
}
