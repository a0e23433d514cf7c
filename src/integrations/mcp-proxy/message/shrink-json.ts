import { fieldsOf, isObject } from "../../../bytes/json/is-object.ts";
import { jsonBytes, keyBytes } from "../../../bytes/json/json-size.ts";
import { fairShare } from "../../../gate/items/fair-share.ts";
import type { JsonCut } from "../../../gate/render/mcp-facts.ts";
import { preview } from "../../../preview/preview.ts";
import type { JsonObject } from "../../mcp-shared/json-rpc.ts";

export interface Shrunk {
  readonly value: unknown;
  readonly cuts: readonly JsonCut[];
}

interface Work {
  readonly sizes: Map<object, number>;
  readonly cuts: JsonCut[];
}

/** A nested item may take this share of the room, so that one item does not push out all others. */
const ITEM_SHARE = 4;
const MIN_ITEM_BYTES = 256;
const MAX_DEPTH = 200;

/**
 * Makes a JSON value smaller until its compact form takes at most `maxBytes`: long arrays lose items at the end, long
 * strings all but what matters or both ends, and objects lose properties only when nothing else helps. What `schema` demands
 * in plain keywords (required, minItems, minLength, enum, …) is respected; whoever needs certainty validates the result.
 */
export function shrinkJson(value: unknown, maxBytes: number, schema?: unknown): Shrunk {
  const work: Work = { sizes: new Map(), cuts: [] };
  return { value: shrink(value, maxBytes, fieldsOf(schema), "", 0, work), cuts: work.cuts };
}

function shrink(value: unknown, room: number, schema: JsonObject, pointer: string, depth: number, work: Work): unknown {
  if (jsonBytes(value, work.sizes) <= room) return value;
  if (depth > MAX_DEPTH) return leaveOut(value, pointer, work);
  if (typeof value === "string") return shrinkString(value, room, schema, pointer, work);
  if (Array.isArray(value)) return shrinkArray(value, room, schema, pointer, depth, work);
  if (isObject(value)) return shrinkObject(value, room, schema, pointer, depth, work);
  return value;
}

/** What is nested too deep to be cut here and there. */
function leaveOut(value: unknown, pointer: string, work: Work): unknown {
  if (typeof value === "string") return shrinkString(value, 2, {}, pointer, work);
  if (typeof value !== "object" || value === null) return value;
  const total = Object.keys(value).length;
  work.cuts.push({ pointer, unit: Array.isArray(value) ? "items" : "properties", kept: 0, total });
  return Array.isArray(value) ? [] : {};
}

function shrinkString(text: string, room: number, schema: JsonObject, pointer: string, work: Work): string {
  if (["enum", "const", "pattern", "format"].some((keyword) => schema[keyword] !== undefined)) return text;
  const { text: shown, kept } = shortenString(text, room, numberOf(schema.minLength));
  work.cuts.push({ pointer, unit: "characters", kept, total: text.length });
  return shown;
}

function shrinkArray(
  items: readonly unknown[],
  room: number,
  schema: JsonObject,
  pointer: string,
  depth: number,
  work: Work,
): unknown[] {
  const itemSchema = fieldsOf(schema.items);
  const least = Math.min(items.length, numberOf(schema.minItems));
  const kept: unknown[] = [];
  let rest = room - 2;
  for (const [index, item] of items.entries()) {
    const size = jsonBytes(item, work.sizes);
    const cap = Math.max(
      MIN_ITEM_BYTES,
      Math.floor((rest - 1) / Math.max(1, Math.min(ITEM_SHARE, items.length - index))),
    );
    if (index >= least && Math.min(size, cap) + 1 > rest) break;
    const child = shrink(
      item,
      Math.min(cap, Math.max(0, rest - 1)),
      itemSchema,
      `${pointer}/${index}`,
      depth + 1,
      work,
    );
    kept.push(child);
    rest -= jsonBytes(child, work.sizes) + 1;
  }
  if (kept.length < items.length) work.cuts.push({ pointer, unit: "items", kept: kept.length, total: items.length });
  return kept;
}

function shrinkObject(
  value: JsonObject,
  room: number,
  schema: JsonObject,
  pointer: string,
  depth: number,
  work: Work,
): JsonObject {
  const properties = fieldsOf(schema.properties);
  const others = fieldsOf(schema.additionalProperties);
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const all = Object.entries(value);
  const entries = all.filter(([key]) => required.has(key));
  const optional = all.filter(([key]) => !required.has(key));
  const least = numberOf(schema.minProperties);
  let smallest = 1 + entries.reduce((sum, [key, item]) => sum + keyBytes(key) + smallestBytes(item), 0);
  for (const entry of optional) {
    smallest += keyBytes(entry[0]) + smallestBytes(entry[1]);
    if (smallest > room && entries.length >= least) {
      work.cuts.push({ pointer, unit: "properties", kept: entries.length, total: all.length });
      break;
    }
    entries.push(entry);
  }
  const kept = new Set(entries.map(([key]) => key));
  const chosen = all.filter(([key]) => kept.has(key));
  const sizes = chosen.flatMap(([, item]) => (canShrink(item) ? [jsonBytes(item, work.sizes)] : []));
  const taken = chosen.reduce(
    (sum, [key, item]) => sum + keyBytes(key) + (canShrink(item) ? 0 : smallestBytes(item)),
    1,
  );
  const share = fairShare(sizes, room - taken);
  return Object.fromEntries(
    chosen.map(([key, item]) => {
      const child = Object.hasOwn(properties, key) ? properties[key] : others;
      const path = `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      return [key, shrink(item, share, fieldsOf(child), path, depth + 1, work)];
    }),
  );
}

/** What is left of a value when as much of it goes as can. */
function smallestBytes(value: unknown): number {
  return canShrink(value) ? 2 : String(value).length;
}

function canShrink(value: unknown): boolean {
  return typeof value === "string" || (typeof value === "object" && value !== null);
}

function numberOf(value: unknown): number {
  return typeof value === "number" && value > 0 ? Math.floor(value) : 0;
}

/** Shorter texts, or texts with less room, have no lines to choose from. */
const LINES_FROM_CHARS = 2000;
const LINES_FROM_ROOM = 400;
const TRIES = 4;
const ELLIPSIS = "…";

interface ShortString {
  readonly text: string;
  /** UTF-16 units of the original that are still there. */
  readonly kept: number;
}

/**
 * A string whose JSON form takes at most `room` bytes: of a long text what matters, with markers; of a short one both
 * ends. It is never shorter than `minLength`, whatever the room.
 */
function shortenString(text: string, room: number, minLength = 0): ShortString {
  if (text.length >= LINES_FROM_CHARS && room >= LINES_FROM_ROOM) {
    const shown = byLines(text, room);
    if (shown && shown.text.length >= minLength) return shown;
  }
  return bothEnds(text, room, minLength);
}

function byLines(text: string, room: number): ShortString | undefined {
  let maxBytes = room - 2;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const shown = preview(text, { strategy: "smart", maxBytes, maxLines: Number.MAX_SAFE_INTEGER });
    const bytes = jsonLength(shown.text);
    if (bytes <= room) return { text: shown.text, kept: shown.kept.chars };
    maxBytes = Math.floor((maxBytes * room * 0.98) / bytes);
    if (maxBytes < LINES_FROM_ROOM / 2) return undefined;
  }
  return undefined;
}

/** The beginning and, where there is room for it, the end. */
function bothEnds(text: string, room: number, minLength: number): ShortString {
  const join = (kept: number): string => {
    const tail = kept < 16 ? 0 : Math.floor(kept / 4);
    const head = wholeUnits(text.slice(0, kept - tail));
    const end = tail === 0 ? "" : text.slice(text.length - tail).replace(/^[\udc00-\udfff]/, "");
    return end === "" ? head : head + ELLIPSIS + end;
  };
  let low = Math.min(text.length, minLength);
  let high = Math.max(low, Math.min(text.length - 1, room));
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (jsonLength(join(middle)) <= room) low = middle;
    else high = middle - 1;
  }
  return { text: join(low), kept: low };
}

/** Without half of a surrogate pair at its end. */
function wholeUnits(text: string): string {
  return text.replace(/[\ud800-\udbff]$/, "");
}

function jsonLength(text: string): number {
  return Buffer.byteLength(JSON.stringify(text));
}
