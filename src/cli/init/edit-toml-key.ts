import { invalidConfig } from "../../errors.ts";
import { decodeToml, encodeToml, encodeTomlName, isBelow, samePath, scanToml, type TomlKey } from "./scan-toml.ts";

/** The string or list of strings under a path, however its tables are written; undefined when there is none. */
export function readTomlKey(text: string, path: readonly string[]): string | readonly string[] | undefined {
  const found = scanToml(text).keys.find((key) => samePath(key.path, path));
  return found && decodeToml(text.slice(found.valueStart, found.valueEnd));
}

/** Sets a string or list under a path, wherever the file has its table; everything else stays as it is. */
export function setTomlKey(text: string, path: readonly string[], value: unknown): string {
  const { keys, tables } = scanToml(text);
  const rendered = encodeToml(value);
  const found = keys.find((key) => samePath(key.path, path));
  if (found) return text.slice(0, found.valueStart) + rendered + text.slice(found.valueEnd);
  const above = path.slice(0, -1);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const row = `${encodeTomlName(path.slice(-1))} = ${rendered}`;
  const table = tables.find((one) => samePath(one.path, above));
  if (table) {
    const last = keys.findLast((key) => key.braces === undefined && table.start < key.start && key.start < table.end);
    const end = last === undefined ? table.bodyStart : lineEnd(text, last.valueEnd);
    const before = text.slice(0, end);
    // Where the file has no final newline, it has none afterwards.
    if (!before.endsWith("\n")) return `${before}${eol}${row}`;
    return `${before}${row}${eol}${text.slice(end)}`;
  }
  // Nothing outside the braces may add to them; the innermost come first.
  const braces = keys.find((key) => isBelow(above, key.path));
  if (braces) return insertInBraces(text, braces, `${encodeTomlName(path.slice(braces.path.length))} = ${rendered}`);
  // Written as a.b.c = "…" in a table further up.
  const sibling = keys.findLast((key) => key.braces === undefined && isBelow(key.path, above));
  if (sibling && sibling.parent.length < above.length) {
    const end = lineEnd(text, sibling.valueEnd);
    const dotted = `${encodeTomlName(path.slice(sibling.parent.length))} = ${rendered}`;
    const before = text.slice(0, end);
    return `${before}${before.endsWith("\n") ? "" : eol}${indentAt(text, sibling.start)}${dotted}${eol}${text.slice(end)}`;
  }
  const before = text === "" || text.endsWith("\n") ? text : `${text}${eol}`;
  return `${before}${before === "" ? "" : eol}[${encodeTomlName(above)}]${eol}${row}${eol}`;
}

/** Takes the key out again, and the table with it when nothing else is in it. */
export function removeTomlKey(
  text: string,
  path: readonly string[],
  options: { readonly keepTable?: boolean } = {},
): string {
  const { keys, tables } = scanToml(text);
  const found = keys.find((key) => samePath(key.path, path));
  if (!found) return text;
  if (found.braces !== undefined) return removeFromBraces(text, found, keys);
  const start = text.lastIndexOf("\n", found.start) + 1;
  const end = lineEnd(text, found.valueEnd);
  const table = tables.find((one) => one.bodyStart <= start && end <= one.end && samePath(one.path, found.parent));
  const rest = table && text.slice(table.bodyStart, start) + text.slice(end, table.end);
  if (table && rest?.trim() === "" && options.keepTable !== true) {
    const head = text.slice(0, table.start);
    // The empty line before it came with it; the one behind it belongs to what follows.
    return head.replace(/(\n)\r?\n$/, "$1") + text.slice(end, table.end) + text.slice(table.end);
  }
  const before = text.slice(0, start);
  return end === text.length && !text.endsWith("\n") ? before.replace(/\r?\n$/, "") : before + text.slice(end);
}

function insertInBraces(text: string, { path, valueStart, valueEnd }: TomlKey, row: string): string {
  if (text[valueStart] !== "{")
    throw invalidConfig(`${encodeTomlName(path)} is not a table in this file; it was left as it is.`);
  const inside = text.slice(valueStart + 1, valueEnd - 1);
  const kept = inside.trimEnd();
  const comma = kept === "" || kept.endsWith(",") ? " " : ", ";
  return `${text.slice(0, valueStart + 1)}${kept}${comma}${row} ${text.slice(valueEnd - 1)}`;
}

function removeFromBraces(text: string, found: TomlKey, keys: readonly TomlKey[]): string {
  const others = keys.filter((key) => key.braces === found.braces && key !== found);
  const before = others.filter((key) => key.start < found.start).at(-1);
  if (before) return text.slice(0, before.valueEnd) + text.slice(found.valueEnd);
  const after = others.find((key) => key.start > found.start);
  if (after) return text.slice(0, found.start) + text.slice(after.start);
  const close = /^\s*,?\s*\}/.exec(text.slice(found.valueEnd))?.[0].length ?? 1;
  return `${text.slice(0, found.braces! + 1)}}${text.slice(found.valueEnd + close)}`;
}

function lineEnd(text: string, from: number): number {
  const newline = text.indexOf("\n", from);
  return newline === -1 ? text.length : newline + 1;
}

function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", at) + 1))?.[0] ?? "";
}
