import { isObject } from "../../bytes/json/is-object.ts";
import { joinPath } from "./json-stream.ts";
import { type Fields, ROW_NUMBER, type RowSink, type SqlValue, type TableSink } from "./table-writer.ts";

/** Objects inside a record become columns down to this depth; deeper values stay JSON. */
const MOST_DEPTH = 5;
/** An object with this many members that are all objects of one kind is a table, with the member's name as `key`. */
const LEAST_MAP_MEMBERS = 4;
/** The first list with this many records is `rows`. */
const LEAST_MAIN_RECORDS = 3;
/** A list up to this size is a column, as JSON, in addition to its own table. */
const MOST_LIST_CHARS = 2000;

interface Child {
  readonly name: string;
  readonly items: readonly unknown[];
}

/**
 * Tables of one JSON document. Its first list with three records is `rows`, other lists are named by their keys, and
 * values outside of lists become one row of `document`.
 */
export class DocumentTables {
  readonly #sink: TableSink;
  /** First elements of lists, while it is open which one is `rows`. */
  readonly #held = new Map<string, unknown[]>();
  readonly #facts = new Map<string, SqlValue>();
  #main: string | undefined;

  constructor(sink: TableSink) {
    this.#sink = sink;
  }

  /** Adds an element of the list at a path; `inMap` for a member of a map, which is `rows` only without any list. */
  item(path: string, value: unknown, inMap = false): void {
    if (this.#main !== undefined) {
      emitItem(value, this.#nameOf(path), this.#sink);
      return;
    }
    const held = this.#held.get(path) ?? [];
    this.#held.set(path, held);
    held.push(value);
    if (!inMap && isObject(value) && held.filter(isObject).length >= LEAST_MAIN_RECORDS) this.#choose(path);
  }

  /** Adds a value outside of lists. */
  fact(path: string, value: unknown): void {
    this.#facts.set(path === "" ? "value" : path, scalar(value));
  }

  /** Visits a parsed document. */
  visit(value: unknown, path: readonly string[] = []): void {
    const name = joinPath(path);
    if (Array.isArray(value)) for (const item of value) this.item(name, item);
    else if (!isObject(value)) this.fact(name, value);
    else if (isMap(value))
      for (const [key, member] of Object.entries(value)) this.item(name, { key, ...(member as object) }, true);
    else if (path.length >= MOST_DEPTH) this.fact(name, value);
    else for (const [key, member] of Object.entries(value)) this.visit(member, [...path, key]);
  }

  end(): void {
    if (this.#main === undefined) {
      const records = [...this.#held].find(([, items]) => items.some(isObject));
      const [first] = records ?? [...this.#held.keys()];
      if (first !== undefined) this.#choose(first);
    }
    if (this.#facts.size > 0) this.#sink.table(this.#main === undefined ? "rows" : "document").add(this.#facts);
  }

  #choose(path: string): void {
    this.#main = path;
    for (const [name, items] of this.#held) for (const item of items) emitItem(item, this.#nameOf(name), this.#sink);
    this.#held.clear();
  }

  #nameOf(path: string): string {
    return path === this.#main ? "rows" : path === "" ? "list" : path;
  }
}

/** Adds one record to a table, and its own lists to child tables that refer to it. */
export function emitItem(item: unknown, table: string, sink: TableSink, target: RowSink = sink.table(table)): void {
  const fields = new Map<string, SqlValue>();
  const children: Child[] = [];
  if (isObject(item)) flatten(item, [], fields, children);
  else if (Array.isArray(item)) for (const [at, value] of item.entries()) fields.set(`c${at + 1}`, scalar(value));
  else fields.set("value", scalar(item));
  const parent = target.add(fields);
  for (const { name, items } of children) {
    const child = sink.table(name === "rows" ? `${table}_rows` : name);
    const linked = { add: (own: Fields) => child.add(new Map([[`${table}_${ROW_NUMBER}`, parent], ...own])) };
    for (const each of items) emitItem(each, name, sink, linked);
  }
}

function flatten(
  value: Readonly<Record<string, unknown>>,
  path: readonly string[],
  fields: Map<string, SqlValue>,
  children: Child[],
): void {
  for (const [key, member] of Object.entries(value)) {
    const name = joinPath([...path, key]);
    if (Array.isArray(member)) {
      if (member.length > 0) children.push({ name, items: member });
      const text = JSON.stringify(member);
      if (text.length <= MOST_LIST_CHARS) fields.set(name, text);
    } else if (isObject(member) && path.length < MOST_DEPTH) flatten(member, [...path, key], fields, children);
    else fields.set(name, scalar(member));
  }
}

/** True for an object that maps names to records of one kind, such as users by id. */
function isMap(value: Readonly<Record<string, unknown>>): boolean {
  const members = Object.values(value);
  if (members.length < LEAST_MAP_MEMBERS || !members.every(isObject)) return false;
  const known = new Set(Object.keys(members.find((member) => Object.keys(member as object).length > 0) ?? {}));
  const similar = members.filter((member) => Object.keys(member as object).some((key) => known.has(key)));
  return similar.length > 0.8 * members.length;
}

function scalar(value: unknown): SqlValue {
  if (typeof value === "string") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "boolean") return value ? 1 : 0;
  return value === null || value === undefined ? null : JSON.stringify(value);
}
