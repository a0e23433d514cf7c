import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from "jsonc-parser";
import { invalidConfig } from "../../errors.ts";

/** Sets `section.name` in a JSON text, comments and everything else kept as they are. */
export function setJsonEntry(text: string, section: string, name: string, value: unknown): string {
  const source = text.trim() === "" ? "{}\n" : text;
  const root = parse(source);
  const found = findNodeAtLocation(root, [section]);
  if (!found) return insert(source, root, section, { [name]: value }, "");
  if (found.type !== "object") throw invalidConfig(`"${section}" is not an object in this file.`);
  const entry = findNodeAtLocation(found, [name]);
  if (!entry) return insert(source, found, name, value, indentAt(source, found.parent!.offset));
  const rendered = isOnOneLine(source, found)
    ? renderOnOneLine(value)
    : render(value, source, indentAt(source, entry.parent!.offset));
  return source.slice(0, entry.offset) + rendered + source.slice(endOf(entry));
}

/** The value of `section.name` in a JSON text, or of `section`; undefined when there is none. */
export function readJsonEntry(text: string, section: string, name?: string): unknown {
  if (text.trim() === "") return undefined;
  const found = findNodeAtLocation(parse(text), name === undefined ? [section] : [section, name]);
  return found && (getNodeValue(found) as unknown);
}

/** Takes `section.name` out of a JSON text, and `section` when nothing else is in it. */
export function removeJsonEntry(text: string, section: string, name: string): string {
  if (text.trim() === "") return text;
  const root = parse(text);
  const found = findNodeAtLocation(root, [section]);
  const entry = found && findNodeAtLocation(found, [name])?.parent;
  if (!found || !entry) return text;
  const around = text.slice(found.offset, entry.offset) + text.slice(endOf(entry), endOf(found));
  const alone = found.children!.length === 1 && !/\/[/*]/.test(around);
  return alone ? remove(text, root, found.parent!) : remove(text, found, entry);
}

function insert(text: string, object: Node, key: string, value: unknown, outer: string): string {
  return insertLast(text, object, value, outer, `${JSON.stringify(key)}: `);
}

/** Puts a property, or an item of a list, behind the last; `outer` is what the list or object itself is indented by. */
export function insertLast(text: string, object: Node, value: unknown, outer: string, key = ""): string {
  const newline = newlineOf(text);
  const indent = outer + unitOf(text);
  const property = `${key}${render(value, text, indent)}`;
  const last = object.children!.at(-1);
  const start = object.offset + 1;
  if (!last) {
    const inside = text.slice(start, endOf(object) - 1).trimEnd();
    return `${text.slice(0, start)}${inside}${newline}${indent}${property}${newline}${outer}${text.slice(endOf(object) - 1)}`;
  }
  const lastEnd = endOf(last);
  if (isOnOneLine(text, object))
    return `${text.slice(0, lastEnd)}, ${key}${renderOnOneLine(value)}${text.slice(lastEnd)}`;
  const comma = /^\s*(?:\/\*[\s\S]*?\*\/\s*)*,/.exec(text.slice(lastEnd))?.[0];
  const after = lastEnd + (comma?.length ?? 0);
  // A comment behind the last property stays with it.
  const lineEnd = after + /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\n]*?\*\/)?/.exec(text.slice(after))![0].length;
  const head = text.slice(0, lastEnd) + (comma ?? ",") + text.slice(after, lineEnd);
  const rest = text.slice(lineEnd);
  const tail = /^\s*\n/.test(rest) ? rest : `${newline}${outer}${rest.trimStart()}`;
  return `${head}${newline}${indent}${property}${comma ? "," : ""}${tail}`;
}

/** Takes a property out of an object, or an item out of a list. */
export function remove(text: string, object: Node, property: Node): string {
  const properties = object.children!;
  const before = properties[properties.indexOf(property) - 1];
  const after = /^\s*,/.exec(text.slice(endOf(property)))?.[0].length ?? 0;
  let start = property.offset;
  let end = endOf(property) + after;
  if (after === 0 && before) {
    const comma = text.indexOf(",", endOf(before));
    const head = text.slice(0, comma) + text.slice(comma + 1, start).trimEnd();
    return head + text.slice(end);
  }
  const line = /\r?\n[ \t]*$/.exec(text.slice(0, start));
  if (line) start = line.index;
  // An object that held nothing else closes at once; a comment before keeps its line.
  if (properties.length === 1 && text.slice(object.offset + 1, start).trim() === "")
    end += /^\s*/.exec(text.slice(end))![0].length;
  return text.slice(0, start) + text.slice(end);
}

function render(value: unknown, text: string, indent: string): string {
  return JSON.stringify(value, null, unitOf(text)).replaceAll("\n", newlineOf(text) + indent);
}

function renderOnOneLine(value: unknown): string {
  return JSON.stringify(value, null, 1).replaceAll(/\n */g, " ");
}

function isOnOneLine(text: string, node: Node): boolean {
  return !text.slice(node.offset, endOf(node)).includes("\n");
}

/** What a text is indented by. */
function unitOf(text: string): string {
  return /\n([ \t]+)"/.exec(text)?.[1] ?? "  ";
}

function newlineOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? "\n";
}

/** What the line at this place is indented by. */
export function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", at - 1) + 1))![0];
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

/** Parses JSON with comments and trailing commas into positions. */
export function parse(text: string): Node {
  const errors: ParseError[] = [];
  // A byte order mark is no part of the JSON, and keeps its place.
  const root = parseTree(text.replace(/^\ufeff/, " "), errors, { allowTrailingComma: true });
  if (root?.type === "object" && errors.length === 0) return root;
  const at = (errors[0]?.offset ?? 0) + 1;
  throw invalidConfig(`The file is not JSON (at character ${at}); it was left as it is.`);
}
