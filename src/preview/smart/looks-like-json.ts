import { decode } from "../../bytes/utf8.ts";

const TOKEN = /\s+|[{}[\],:]|"(?:[^"\\\u0000-\u001f]|\\.){0,100000}"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

const MAX_LITERAL_CHARS = 28;
/** A string or a literal that the end of the output cuts off. */
const CUT = /^(?:"[^\n]*|-?[\d.eE+-]{0,27}|[a-z]{1,4})\s*$/;

/** Lines and bytes before the JSON, at most. */
const MAX_LINES = 40;
const MAX_BYTES = 4096;
/** Bytes of a line that show whether JSON begins in it. */
const LOOKED_BYTES = 64;
const BEGINS = /^\s*(?:\{\s*(?:"|\}|$)|\[\s*(?:[[{"\]]|$|-?\d[\d.eE+-]*\s*,|(?:true|false|null)\b))/;
const NEWLINE = 10;
const BRACE = 123;

/** The index of the line in which JSON begins, among an output's first lines; -1 for none. */
export function jsonLine(lines: readonly string[]): number {
  let chars = 0;
  for (let index = 0; index < lines.length && index <= MAX_LINES && chars <= MAX_BYTES; index++) {
    const line = lines[index] as string;
    if (BEGINS.test(line.slice(0, LOOKED_BYTES))) return index;
    chars += line.length + 1;
  }
  return -1;
}

/** The beginning of the line in which JSON begins, 0 when it begins in none of the first; undefined until it is known. */
export function jsonStart(bytes: Uint8Array): number | undefined {
  // Most outputs have nothing before their JSON.
  if (bytes[0] === BRACE) return 0;
  let start = 0;
  for (let line = 0; line <= MAX_LINES && start <= MAX_BYTES; line++) {
    const newline = bytes.indexOf(NEWLINE, start);
    if (newline < 0 && bytes.length < start + LOOKED_BYTES) return undefined;
    const end = newline < 0 ? bytes.length : newline;
    if (BEGINS.test(decode(bytes.subarray(start, Math.min(end, start + LOOKED_BYTES))))) return start;
    if (newline < 0) return bytes.length > MAX_BYTES ? 0 : undefined;
    start = newline + 1;
  }
  return 0;
}

/** True when a text begins as JSON, one value or one per line, and continues as JSON as far as can be seen. */
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
