import { SpillwayError } from "../../errors.ts";

interface Place {
  /** Of the lines of the table, header left out. */
  readonly start: number;
  readonly end: number;
}

/** The text of `key` in the table `parent.name`, written as a table of its own or inside braces; undefined when absent. */
export function readTomlKey(text: string, parent: string, name: string, key: string): string | undefined {
  const lines = text.split("\n");
  const table = findTable(lines, `${parent}.${name}`);
  const own = table && lines.slice(table.start, table.end).find((line) => keyOf(line) === key);
  if (own !== undefined) return unquote(own.slice(own.indexOf("=") + 1));
  const inline = findInline(lines, parent, name);
  const match = inline && new RegExp(`(?:[{,]\\s*)${key}\\s*=\\s*("(?:[^"\\\\]|\\\\.)*"|'[^']*')`).exec(inline.line);
  return match ? unquote(match[1] ?? "") : undefined;
}

/** Sets a text in the table `parent.name`, wherever the file has that table; everything else stays as it is. */
export function setTomlKey(text: string, parent: string, name: string, key: string, value: string): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const source = removeTomlKey(text, parent, name, key, { keepTable: true });
  const lines = source.split("\n");
  const row = `${key} = ${JSON.stringify(value)}`;
  const table = findTable(lines, `${parent}.${name}`);
  if (table) return [...lines.slice(0, table.start), row + eol.slice(0, -1), ...lines.slice(table.start)].join("\n");
  const inline = findInline(lines, parent, name);
  if (inline) {
    const close = inline.line.lastIndexOf("}");
    const inside = inline.line.slice(inline.line.indexOf("{") + 1, close).trim();
    const head = inline.line.slice(0, close).trimEnd();
    const line = `${head}${inside === "" ? " " : ", "}${row} ${inline.line.slice(close)}`;
    return [...lines.slice(0, inline.at), line, ...lines.slice(inline.at + 1)].join("\n");
  }
  if (
    new RegExp(`^\\s*${parent}\\s*[.=]`, "m").test(source) ||
    new RegExp(`^\\s*${name}\\s*[.=]`, "m").test(bodyOf(lines, parent))
  )
    throw new SpillwayError(
      "INVALID_CONFIG",
      `${parent}.${name} is written in a way that is not edited here; add ${row} to it by hand.`,
    );
  const before = source === "" || source.endsWith("\n") ? source : `${source}${eol}`;
  return `${before}${before === "" ? "" : eol}[${parent}.${name}]${eol}${row}${eol}`;
}

/** Takes the key out again, and the table with it when nothing else is in it. */
export function removeTomlKey(
  text: string,
  parent: string,
  name: string,
  key: string,
  options: { readonly keepTable?: boolean } = {},
): string {
  const lines = text.split("\n");
  const table = findTable(lines, `${parent}.${name}`);
  const at =
    table === undefined ? -1 : lines.findIndex((line, i) => i >= table.start && i < table.end && keyOf(line) === key);
  if (table && at !== -1) {
    const rest = lines.slice(table.start, table.end).filter((_, i) => table.start + i !== at);
    const alone = rest.every((line) => line.trim() === "") && options.keepTable !== true;
    if (!alone) return [...lines.slice(0, at), ...lines.slice(at + 1)].join("\n");
    const head = lines.slice(0, table.start - 1);
    if (head.at(-1)?.trim() === "") head.pop();
    return [...head, ...lines.slice(table.end === lines.length ? table.end - 1 : table.end)].join("\n");
  }
  const inline = findInline(lines, parent, name);
  if (!inline) return text;
  const row = `${key}\\s*=\\s*(?:"(?:[^"\\\\]|\\\\.)*"|'[^']*')`;
  const line = inline.line
    .replace(new RegExp(`,\\s*${row}`), "")
    .replace(new RegExp(`(\\{\\s*)${row}\\s*,\\s*`), "$1")
    .replace(new RegExp(`\\{\\s*${row}\\s*\\}`), "{}");
  return [...lines.slice(0, inline.at), line, ...lines.slice(inline.at + 1)].join("\n");
}

function findTable(lines: readonly string[], name: string): Place | undefined {
  const at = lines.findIndex((line) => headerOf(line) === name);
  if (at === -1) return undefined;
  const next = lines.findIndex((line, i) => i > at && headerOf(line) !== undefined);
  return { start: at + 1, end: next === -1 ? lines.length : next };
}

/** `name = { … }` on one line of the table `parent`. */
function findInline(lines: readonly string[], parent: string, name: string): { at: number; line: string } | undefined {
  const table = findTable(lines, parent);
  if (!table) return undefined;
  const at = lines.findIndex((line, i) => i >= table.start && i < table.end && keyOf(line) === name);
  const line = lines[at] ?? "";
  return at !== -1 && /=\s*\{.*\}\s*(?:#.*)?$/.test(line.trimEnd()) ? { at, line } : undefined;
}

function bodyOf(lines: readonly string[], name: string): string {
  const table = findTable(lines, name);
  return table ? lines.slice(table.start, table.end).join("\n") : "";
}

function headerOf(line: string): string | undefined {
  return /^\s*\[{1,2}\s*([^\]]+?)\s*\]{1,2}\s*(?:#.*)?$/.exec(line.trimEnd())?.[1]?.replaceAll(/["'\s]/g, "");
}

function keyOf(line: string): string | undefined {
  return /^\s*["']?([A-Za-z0-9_-]+)["']?\s*=/.exec(line)?.[1];
}

function unquote(value: string): string {
  const text = value.trim();
  const match = /^"((?:[^"\\]|\\.)*)"|^'([^']*)'/.exec(text);
  if (!match) return text;
  return match[2] ?? (JSON.parse(`"${match[1]}"`) as string);
}
