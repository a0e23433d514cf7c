import { fieldsOf, isObject } from "../../../bytes/json/is-object.ts";
import type { Limits } from "../../../limits/types.ts";
import type { BoundContext } from "./bound-context.ts";

/** Room for the notice's links and the facts in `_meta`, on top of what the limits allow. */
const FACTS_BYTES = 16 * 1024;
/** The share of the limit that is left to these fields even when the text takes all of it. */
const LEAST_SHARE = 4;
const LEAST_BYTES = 4096;
/** No token and no UTF-16 unit takes more bytes. */
const BYTES_PER_TOKEN = 128;
const BYTES_PER_CHAR = 3;

/** The most bytes that an answer takes beside its media, counted by `messageBytes`: text and other fields, structured content, facts. */
export function lastCap({ limits }: Pick<BoundContext, "limits">): number {
  const limit = byteLimit(limits);
  return 2 * limit + leastRest(limit) + FACTS_BYTES;
}

/** What other fields may take beside a text that takes the whole limit. */
export function leastRest(limit: number): number {
  return Math.max(LEAST_BYTES, Math.floor(limit / LEAST_SHARE));
}

/** Bytes of the images, sounds and files in an answer, which have limits of their own. */
export function mediaIn(content: unknown): number {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  return blocks.reduce<number>((sum, block) => {
    if (!isObject(block)) return sum;
    const resource = fieldsOf(block.resource);
    const isMedia = block.type === "image" || block.type === "audio";
    const data = isMedia ? block.data : block.type === "resource" ? resource.blob : undefined;
    return sum + (typeof data === "string" ? data.length : 0);
  }, 0);
}

/** The most bytes that a text within the limits has. */
export function byteLimit({ maxBytes, maxChars, maxTokens }: Limits): number {
  return Math.min(maxBytes, maxChars * BYTES_PER_CHAR, maxTokens * BYTES_PER_TOKEN);
}

/** Bytes of a message as JSON, its strings as they are read and not as they are escaped; stops counting above `enough`. */
export function messageBytes(message: unknown, enough: number): number {
  let bytes = 0;
  const left: unknown[] = [message];
  while (left.length > 0 && bytes <= enough) {
    const value = left.pop();
    if (typeof value === "string") bytes += Buffer.byteLength(value) + 3;
    else if (typeof value !== "object" || value === null) bytes += String(value).length + 1;
    else if (Array.isArray(value)) {
      bytes += 3;
      for (const item of value) left.push(item);
    } else {
      bytes += 3;
      for (const [key, item] of Object.entries(value)) {
        bytes += Buffer.byteLength(key) + 3;
        left.push(item);
      }
    }
  }
  return bytes;
}
