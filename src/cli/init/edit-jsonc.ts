import { isDeepStrictEqual } from "node:util";
import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from "jsonc-parser";
import { invalidConfig } from "../../errors.ts";

/** Sets `section.name` in a JSON text, comments and everything else kept as they are. */
export function setJsonEntry(text: string, section: string, name: string, value: unknown): string {
  return setJsonAt(text, [section, name], value);
}

/** The same for a path of any depth. */
export function setJsonAt(text: string, path: readonly [...string[], string], value: unknown): string {
  const source = text.trim() === "" ? "{}\n" : text;
  const root = parse(source);
  const above = path.slice(0, -1) as [...string[], string];
  const key = path.at(-1)!;
  const object = findNodeAtLocation(root, above);
  if (!object) return setJsonAt(source, above, { [key]: value });
  if (object.type !== "object") throw invalidConfig(`"${above.join(".")}" is not an object in this file.`);
  const indent = object.parent ? indentAt(source, object.parent.offset) : "";
  const found = findNodeAtLocation(object, [key]);
  if (!found) return insertLast(source, object, value, indent, `${JSON.stringify(key)}: `);
  const rendered = isOnOneLine(source, object)
    ? renderOnOneLine(value)
    : render(value, source, indentAt(source, found.parent!.offset));
  return source.slice(0, found.offset) + rendered + source.slice(endOf(found));
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
  const comma = commaBehind(text, lastEnd);
  const after = comma === undefined ? lastEnd : comma + 1;
  // A comment behind the last property stays with it.
  const lineEnd = after + /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\n]*?\*\/)?/.exec(text.slice(after))![0].length;
  const head = comma === undefined ? `${text.slice(0, after)},${text.slice(after, lineEnd)}` : text.slice(0, lineEnd);
  const rest = text.slice(lineEnd);
  const tail = /^\s*\n/.test(rest) ? rest : `${newline}${outer}${rest.trimStart()}`;
  return `${head}${newline}${indent}${property}${comma === undefined ? "" : ","}${tail}`;
}

/** Takes a property out of an object, or an item out of a list. */
export function remove(text: string, object: Node, property: Node): string {
  const properties = object.children!;
  const before = properties[properties.indexOf(property) - 1];
  const comma = commaBehind(text, endOf(property));
  if (comma === undefined && before) {
    const separator = commaBehind(text, endOf(before))!;
    const head = text.slice(0, separator) + text.slice(separator + 1, property.offset).trimEnd();
    return joinLines(head, text.slice(endOf(property)));
  }
  // What stands before the comma is somebody's comment.
  const comment = comma === undefined ? "" : text.slice(endOf(property), comma).trimEnd();
  const head = text.slice(0, property.offset).replace(/\r?\n[ \t]*$/, "") + comment;
  const rest = text.slice(comma === undefined ? endOf(property) : comma + 1);
  // An object that held nothing else closes at once; a comment before keeps its line.
  const alone = properties.length === 1 && head.slice(object.offset + 1).trim() === "";
  return joinLines(head, alone ? rest.trimStart() : rest);
}

/** Where the comma behind this place stands, if nothing but spaces and comments is between. */
function commaBehind(text: string, at: number): number | undefined {
  const gap = /^(?:\s|\/\*[\s\S]*?\*\/|\/\/[^\n]*)*/.exec(text.slice(at))![0].length;
  return text[at + gap] === "," ? at + gap : undefined;
}

/** What comes behind a comment to the end of its line must not become part of it. */
function joinLines(head: string, rest: string): string {
  const swallowed = /\/\/[^\n]*$/.test(head) && !/^[ \t]*(?:\/\/[^\n]*)?(?:\r?\n|$)/.test(rest);
  return swallowed ? `${head}${newlineOf(head)}${rest}` : head + rest;
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

/** Puts an item at the end of the list `section.name`, in place of those that `isOwn` knows; all else stays as it is. */
export function setJsonItem(
  text: string,
  section: string,
  name: string,
  item: unknown,
  isOwn: (item: unknown) => boolean,
): string {
  const now = listOf(text, section, name);
  if (now.some((one) => isDeepStrictEqual(one, item)) && now.filter(isOwn).length === 1) return text;
  const others = removeItems(text, section, name, isOwn);
  const list = findNodeAtLocation(parse(others.trim() === "" ? "{}" : others), [section, name]);
  if (list?.type !== "array") return setJsonEntry(others, section, name, [item]);
  return insertLast(others, list, item, indentAt(others, list.offset));
}

/** Takes those items out of the list, and the list when nothing else is in it, not even a comment. */
export function removeJsonItems(
  text: string,
  section: string,
  name: string,
  isOwn: (item: unknown) => boolean,
): string {
  const rest = removeItems(text, section, name, isOwn);
  if (rest === text) return text;
  const list = findNodeAtLocation(parse(rest), [section, name])!;
  const inside = rest.slice(list.offset + 1, list.offset + list.length - 1);
  return inside.trim() === "" ? removeJsonEntry(rest, section, name) : rest;
}

function removeItems(text: string, section: string, name: string, isOwn: (item: unknown) => boolean): string {
  return listOf(text, section, name).reduceRight<string>((edited, item, index) => {
    const list = isOwn(item) ? findNodeAtLocation(parse(edited), [section, name]) : undefined;
    return list === undefined ? edited : remove(edited, list, list.children![index]!);
  }, text);
}

function listOf(text: string, section: string, name: string): readonly unknown[] {
  const value = readJsonEntry(text, section, name);
  // Objects of the parser have no prototype, which no comparison overlooks.
  return Array.isArray(value) ? (JSON.parse(JSON.stringify(value)) as unknown[]) : [];
}
