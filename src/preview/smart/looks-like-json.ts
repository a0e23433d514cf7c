const TOKEN = /\s+|[{}[\],:]|"(?:[^"\\\u0000-\u001f]|\\.){0,100000}"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

const MAX_LITERAL_CHARS = 28;
/** A string or a literal that the end of the output cuts off. */
const CUT = /^(?:"[^\n]*|-?[\d.eE+-]{0,27}|[a-z]{1,4})\s*$/;

/** True when a text begins as JSON, one value or one per line, and goes on so as far as can be seen. */
export function looksLikeJson(start: string): boolean {
  if (!/^[[{]/.test(start)) return false;
  if (/^\{.*\}\s*$/.test(start.slice(0, 100_000).split("\n", 1)[0] ?? "")) {
    const lines = start.split("\n", 21).slice(0, 20);
    const objects = lines.filter((line) => /^\s*\{\s*"(?:[^"\\]|\\.)*"\s*:/.test(line));
    if (objects.length >= Math.min(lines.length - 1, 3) && objects.length / lines.length > 0.8) return true;
  }
  const looked = start.slice(0, 4000);
  let previous = "";
  let at = 0;
  while (at < looked.length) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(looked)?.[0];
    // A token cut off by the end of what is looked at is no evidence against.
    if (token === undefined) {
      if (at <= 64) return false;
      if (looked.length === start.length) return CUT.test(looked.slice(at));
      return looked[at] === '"' || looked.length - at < MAX_LITERAL_CHARS;
    }
    at += token.length;
    if (/^\s/.test(token)) continue;
    if (isValue(token) && isValue(previous)) return false;
    if (token === ":" && !previous.startsWith('"')) return false;
    if (previous === "{" && !token.startsWith('"') && token !== "}") return false;
    previous = token;
  }
  return true;
}

function isValue(token: string): boolean {
  return token !== "" && !/^[{}[\],:]$/.test(token);
}
