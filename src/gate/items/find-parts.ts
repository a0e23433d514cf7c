import { countLines } from "../../bytes/count-newlines.ts";
import { jsonBytes } from "../../bytes/json/json-size.ts";
import { stringifyJson } from "../../bytes/json/stringify-json.ts";
import type { Size } from "../../preview/types.ts";
import { onOneLine } from "../quote-word.ts";

export type PartPath = readonly (string | number)[];

interface PartBase {
  /** Where it stands in the value. */
  readonly path: PartPath;
  readonly size: Size;
}

/** An array, or an object of many members, which is kept item by item. */
export interface ListPart extends PartBase {
  readonly kind: "list";
  readonly items: readonly unknown[];
  /** The members' names, when it is an object. */
  readonly keys: readonly string[] | undefined;
  /** Compact JSON of each item; of an object's member with its name. */
  readonly lines: readonly string[];
}

/** A text, which is kept line by line. */
export interface TextPart extends PartBase {
  readonly kind: "text";
  readonly text: string;
}

/** What makes up nearly all of a value. */
export type Part = ListPart | TextPart;

/** What stands beside the parts is small: this share of the value at most, and of the room. */
const REST_SHARE = 0.2;
const REST_ROOM = 0.25;
const REST_BYTES = 256;
/** More members than this are items of one list, not parts of their own. */
const MAX_PARTS = 16;
/** A list of no more items is opened up when one of them outweighs the others. */
const FEW_ITEMS = 4;
/** A shorter text of one line is no part where there is anything else. */
const SHORT_CHARS = 200;
/** A list or text of more than this share of the lines is a part however few its bytes. */
const LONG_SHARE = 0.25;
const MAX_DEPTH = 100;

type Fields = Readonly<Record<string, unknown>>;

/**
 * The lists and texts that a JSON value consists of, apart from little around them. An item that cannot be kept whole
 * in the room is no item: when a list has no other, or little else, the parts are those inside its items.
 */
export function findParts(value: unknown, room: { readonly bytes: number; readonly lines: number }): readonly Part[] {
  const sizes = new Map<object, number>();
  const parts: Part[] = [];
  const visit = (node: unknown, path: PartPath): void => {
    if (typeof node === "string") {
      parts.push({ kind: "text", path, text: node, size: sizeOfText(node) });
    } else if (Array.isArray(node)) {
      const inner = opensUp(node, path.length) ? node.map((item, index) => [index, item] as const) : undefined;
      const chosen = inner && largest(inner, jsonBytes(node, sizes));
      if (chosen) for (const [index, item] of chosen) visit(item, [...path, index]);
      else parts.push(listOf(node, undefined, path));
    } else if (isFields(node)) {
      const members = Object.entries(node);
      const chosen = path.length < MAX_DEPTH ? largest(members, jsonBytes(node, sizes)) : undefined;
      if (chosen) for (const [key, item] of chosen) visit(item, [...path, key]);
      else parts.push(listOf(members.map(([, item]) => item) as unknown[], Object.keys(node), path));
    }
  };
  /** The largest, so many that the others matter little; undefined when these would be too many. */
  const largest = <K extends string | number>(
    all: readonly (readonly [K, unknown])[],
    bytes: number,
  ): readonly (readonly [K, unknown])[] | undefined => {
    const enough = Math.max(REST_BYTES, Math.min(bytes * REST_SHARE, room.bytes * REST_ROOM));
    const descending = all
      .filter(([, item]) => typeof item === "string" || (typeof item === "object" && item !== null))
      .sort((a, b) => weigh(b[1]) - weigh(a[1]));
    let rest = bytes;
    const chosen = new Set<K>();
    for (const [key, item] of descending) {
      if (chosen.size > 0 && rest <= enough && !isLong(item)) continue;
      if (chosen.size === MAX_PARTS) return undefined;
      chosen.add(key);
      rest -= jsonBytes(item, sizes);
    }
    // Many small members that are no texts or lists outweigh those that are.
    if (rest > enough && all.length > MAX_PARTS) return undefined;
    return all.filter(([key]) => chosen.has(key));
  };
  const weigh = (item: unknown): number => (isShort(item) ? 0 : jsonBytes(item, sizes));
  const isLong = (item: unknown): boolean => linesOf(item) > Math.max(1, room.lines * LONG_SHARE);
  const opensUp = (items: readonly unknown[], depth: number): boolean => {
    if (depth >= MAX_DEPTH || items.length === 0) return false;
    const bytes = items.map((item) => jsonBytes(item, sizes));
    const most = bytes.reduce((a, b) => Math.max(a, b), 0);
    const least = bytes.reduce((a, b) => Math.min(a, b), Infinity);
    const total = jsonBytes(items, sizes);
    return least > room.bytes / 2 || (items.length <= FEW_ITEMS && most > total * (1 - REST_SHARE));
  };
  visit(value, []);
  return parts;
}

/** The measured text of a part, which is what limits, totals and omissions speak of. */
export function textOf(part: Part): string {
  return part.kind === "text" ? part.text : part.lines.join("\n");
}

/** Sizes added up. */
export function sumSizes(sizes: readonly Size[]): Size {
  const sum = (pick: (size: Size) => number): number => sizes.reduce((all, size) => all + pick(size), 0);
  return { lines: sum(({ lines }) => lines), bytes: sum(({ bytes }) => bytes), chars: sum(({ chars }) => chars) };
}

/** Where it stands, as a marker or heading may say it: a name of the output's cannot begin a line of its own. */
export function nameOf(part: Part): string {
  return onOneLine(part.path.join("."));
}

function listOf(items: readonly unknown[], keys: readonly string[] | undefined, path: PartPath): ListPart {
  const lines = items.map((item, index) => {
    const json = stringifyJson(item);
    return keys === undefined ? json : `${JSON.stringify(keys[index])}:${json}`;
  });
  const newlines = Math.max(0, lines.length - 1);
  const sum = (measure: (line: string) => number): number => lines.reduce((all, line) => all + measure(line), newlines);
  const size = {
    lines: lines.length,
    bytes: sum((line) => Buffer.byteLength(line)),
    chars: sum((line) => line.length),
  };
  return { kind: "list", path, items, keys, lines, size };
}

function isShort(item: unknown): boolean {
  return typeof item === "string" && item.length < SHORT_CHARS && !item.includes("\n");
}

function linesOf(item: unknown): number {
  return Array.isArray(item) ? item.length : typeof item === "string" ? countLines(item) : 0;
}

function sizeOfText(text: string): Size {
  return { lines: countLines(text), bytes: Buffer.byteLength(text), chars: text.length };
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}
