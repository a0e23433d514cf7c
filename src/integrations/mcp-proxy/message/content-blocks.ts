import { fieldsOf, isObject } from "../../../bytes/json/is-object.ts";
import { textBlock } from "../../../gate/render/mcp-notice.ts";
import type { JsonObject } from "../../mcp-shared/json-rpc.ts";

/** The strings of a block that are bounded by themselves, and what kind of block it is. */
export function ownOf(block: unknown): JsonObject {
  if (!isObject(block)) return {};
  const { type, text, data, resource } = block;
  const inner = isObject(resource) ? { resource: pick(resource, ["text", "blob"]) } : {};
  return { ...pick({ type, text, data }, ["type", "text", "data"]), ...inner };
}

/** Everything else that such a block holds. */
export function besideOwn(block: unknown): JsonObject {
  if (!isObject(block)) return {};
  const { type: _type, text: _, data: __, resource, ...rest } = block;
  if (!isObject(resource)) return rest;
  const { text: ___, blob: ____, ...inner } = resource;
  return { ...rest, resource: inner };
}

/** A block of its own strings and of what was kept of its other fields. */
export function joinBlock({ resource, ...own }: JsonObject, beside: JsonObject = {}): JsonObject {
  if (!isObject(resource)) return { ...own, ...beside };
  return { ...own, ...beside, resource: { ...fieldsOf(beside.resource), ...resource } };
}

function pick(value: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.flatMap((key) => (value[key] === undefined ? [] : [[key, value[key]]])));
}

export function replaceText(block: unknown, text: string): JsonObject {
  if (!isObject(block)) return textBlock(text);
  if (block.type !== "resource" || !isObject(block.resource)) return { ...block, text };
  return { ...block, resource: { ...block.resource, text } };
}

/** What a block keeps that becomes another. */
export function carriedOver(block: unknown): JsonObject {
  if (!isObject(block)) return {};
  const { annotations, _meta } = block;
  return { ...(annotations === undefined ? {} : { annotations }), ...(_meta === undefined ? {} : { _meta }) };
}
