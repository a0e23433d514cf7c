const ESCAPES = /\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07]*\x07|\x1b[@-Z\\-_]|\x1b[=>78]/g;
const STAMP = /^\ufeff?\s*\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z ?/;

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

/** For each key whether its whole text stands in a preview: within one line, or anywhere where the key has no line. */
export function keptKeys(keys, preview) {
  const lines = preview.split("\n").map(shownLine).join("\n");
  const flat = preview.replace(ESCAPES, "").replace(/\s+/g, " ");
  return keys.map(({ line, text }) => (line == null ? flat : lines).includes(text));
}
