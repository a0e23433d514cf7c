import { isDeepStrictEqual } from "node:util";
import { findNodeAtLocation } from "jsonc-parser";
import { indentAt, insertLast, parse, readJsonEntry, remove, removeJsonEntry, setJsonEntry } from "./edit-jsonc.ts";

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
