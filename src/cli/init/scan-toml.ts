import { invalidConfig, type SpillwayError } from "../../errors.ts";

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
