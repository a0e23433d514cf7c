import { invalidConfig, type SpillwayError } from "../../errors.ts";

/** Sets keys of the table `section.name` in a TOML text; its other keys, its sub-tables and all else stay. */
export function setTomlEntry(
  text: string,
  section: string,
  name: string,
  entry: Readonly<Record<string, unknown>>,
): string {
  if (scanToml(text).keys.some((key) => samePath(key.path, [section])))
    throw invalidConfig(`${section} is an inline table in this file; add the entry by hand.`);
  return Object.entries(entry).reduce((edited, [key, value]) => setTomlKey(edited, [section, name, key], value), text);
}

/** Takes the table `section.name` and those below it out of a TOML text, and nothing else. */
export function removeTomlEntry(text: string, section: string, name: string): string {
  const path = [section, name];
  let result = text;
  for (;;) {
    const { tables, keys } = scanToml(result);
    const table = tables.findLast((one) => isBelow(one.path, path));
    const key = keys.find((one) => one.braces === undefined && isBelow(one.path, path));
    if (table) {
      const head = result.slice(0, table.start);
      const tail = result.slice(table.end);
      // The empty line before it came with it, unless something follows that it would then stick to.
      result = (tail === "" ? head.replace(/(\n)\r?\n$/, "$1") : head) + tail;
    } else if (key) {
      const start = result.lastIndexOf("\n", key.start) + 1;
      const newline = result.indexOf("\n", key.valueEnd);
      result = result.slice(0, start) + (newline === -1 ? "" : result.slice(newline + 1));
    } else return result;
  }
}

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

/** A header with what follows it up to the next one. */
export interface TomlTable {
  readonly path: readonly string[];
  /** Of the header's line. */
  readonly start: number;
  /** Behind the header's line. */
  readonly bodyStart: number;
  /** Where the next header's line begins. */
  readonly end: number;
}

export interface TomlKey {
  /** From the top of the file on. */
  readonly path: readonly string[];
  /** Of the table or the braces that it stands in. */
  readonly parent: readonly string[];
  readonly start: number;
  readonly valueStart: number;
  readonly valueEnd: number;
  /** Where the braces begin that it stands in. */
  readonly braces?: number | undefined;
}

export interface TomlPlaces {
  readonly tables: readonly TomlTable[];
  /** Those in braces come before the key that holds the braces. */
  readonly keys: readonly TomlKey[];
}

const BLANK = /(?:[\s\ufeff]|#[^\n]*)*/y;
const INDENT = /[ \t]*/y;
const BARE = /[A-Za-z0-9_-]+/y;
const STRING = /"""[\s\S]*?(?<!\\)"{3,5}|'''[\s\S]*?'{3,5}|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/y;
const LITERAL = /[^\s,[\]{}#=]+(?: \d[^\s,[\]{}#=]*)?/y;
const LINE_END = /[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y;

/** Where each table, key and value of a TOML text stands. Throws for what is no TOML. */
export function scanToml(text: string): TomlPlaces {
  const tables: TomlTable[] = [];
  const keys: TomlKey[] = [];
  let at = 0;
  let table: readonly string[] = [];

  const wrong = (): SpillwayError => {
    const line = text.slice(0, at).split("\n").length;
    return invalidConfig(`The file is not TOML (line ${line}); it was left as it is.`);
  };
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null) throw wrong();
    at += match[0].length;
    return match[0];
  };
  const takeMark = (mark: string): boolean => {
    if (!text.startsWith(mark, at)) return false;
    at += mark.length;
    return true;
  };
  const readName = (): string[] => {
    const parts: string[] = [];
    do {
      take(INDENT);
      parts.push(/["']/.test(text[at] ?? "") ? (decodeToml(take(STRING)) as string) : take(BARE));
      take(INDENT);
    } while (takeMark("."));
    return parts;
  };
  const readPair = (parent: readonly string[], braces?: number): void => {
    const start = at;
    const path = [...parent, ...readName()];
    if (!takeMark("=")) throw wrong();
    take(INDENT);
    const valueStart = at;
    readValue(path);
    keys.push({ path, parent, start, valueStart, valueEnd: at, braces });
  };
  const readItems = (close: string, readItem: () => void): void => {
    at += 1;
    for (take(BLANK); !takeMark(close); take(BLANK)) {
      readItem();
      take(BLANK);
      if (!takeMark(",") && text[at] !== close) throw wrong();
    }
  };
  const readValue = (path: readonly string[]): void => {
    const braces = at;
    if (text[at] === "[") readItems("]", () => readValue([...path, "[]"]));
    else if (text[at] === "{") readItems("}", () => readPair(path, braces));
    else if (/["']/.test(text[at] ?? "")) take(STRING);
    else take(LITERAL);
  };

  for (take(BLANK); at < text.length; take(BLANK)) {
    if (text[at] === "[") {
      const start = text.lastIndexOf("\n", at) + 1;
      const marks = text.startsWith("[[", at) ? 2 : 1;
      at += marks;
      table = readName();
      if (!takeMark("]".repeat(marks))) throw wrong();
      take(LINE_END);
      tables.push({ path: table, start, bodyStart: at, end: text.length });
    } else {
      readPair(table);
      take(LINE_END);
    }
  }
  return { tables: tables.map((one, index) => ({ ...one, end: tables[index + 1]?.start ?? text.length })), keys };
}

/** A string or a list of strings as TOML writes it; undefined for all else. */
export function decodeToml(value: string): string | readonly string[] | undefined {
  if (value.startsWith("[")) {
    const strings = value.slice(1).match(new RegExp(`${STRING.source}|#[^\\n]*|[^\\s,\\]]+`, "g")) ?? [];
    const items = strings.filter((item) => !item.startsWith("#")).map(decodeToml);
    return items.every((item) => typeof item === "string") ? (items as string[]) : undefined;
  }
  if (/^(?:"""|''')/.test(value)) return value.slice(3, -3).replace(/^\r?\n/, "");
  if (value.startsWith("'")) return value.slice(1, -1);
  if (!value.startsWith('"')) return undefined;
  try {
    // What a basic string may escape is what JSON may, but for two.
    return JSON.parse(
      value.replaceAll(/\\U([0-9A-Fa-f]{8})/g, (_, code) => String.fromCodePoint(parseInt(code, 16))),
    ) as string;
  } catch {
    return undefined;
  }
}

/** A string or list as TOML writes it. */
export function encodeToml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(encodeToml).join(", ")}]`;
  // JSON's escapes of a basic string are TOML's too.
  return JSON.stringify(value);
}

/** A name as a header or key writes it. */
export function encodeTomlName(path: readonly string[]): string {
  return path.map((part) => (/^[A-Za-z0-9_-]+$/.test(part) ? part : JSON.stringify(part))).join(".");
}

export function samePath(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((part, at) => part === other[at]);
}

/** True when `path` lies below `top`, or is it. */
export function isBelow(path: readonly string[], top: readonly string[]): boolean {
  return samePath(path.slice(0, top.length), top);
}
