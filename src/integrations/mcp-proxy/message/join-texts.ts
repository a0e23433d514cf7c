import { isObject } from "../../../bytes/json/is-object.ts";
import { textBlock } from "../../../gate/render/mcp-notice.ts";
import type { JsonObject } from "../../mcp-shared/json-rpc.ts";
import type { BoundContext } from "./bound-context.ts";
import { byteLimit, messageBytes } from "./last-cap.ts";

/** With more blocks than these, each with facts and an artifact of its own, the facts would be larger than the texts. */
const MOST_BLOCKS = 64;
const BOUND_ALONE: ReadonlySet<unknown> = new Set(["text", "image", "audio", "resource"]);

/**
 * A result over the limit of very many blocks with neighbouring plain texts joined to one, a line break between two; the
 * result itself when that is not needed.
 */
export function joinTexts(result: JsonObject, { limits, spooled }: BoundContext): JsonObject | "too many" {
  const { content } = result;
  if (!Array.isArray(content) || countBlocks(content) <= MOST_BLOCKS) return result;
  const limit = byteLimit(limits);
  if (content.length <= limits.maxLines && messageBytes(content, limit) <= limit) return result;
  const joined: unknown[] = [];
  let texts: string[] = [];
  const close = (): void => {
    if (texts.length > 0) joined.push(textBlock(texts.join("\n")));
    texts = [];
  };
  for (const block of content) {
    if (isPlainText(block) && spooled?.resolve(block.text) === undefined) texts.push(block.text);
    else {
      close();
      joined.push(block);
    }
  }
  close();
  return countBlocks(joined) > MOST_BLOCKS ? "too many" : { ...result, content: joined };
}

/** How many blocks are bounded each by itself. */
function countBlocks(content: readonly unknown[]): number {
  return content.filter((block) => isObject(block) && BOUND_ALONE.has(block.type)).length;
}

function isPlainText(block: unknown): block is { readonly type: "text"; readonly text: string } {
  return isObject(block) && block.type === "text" && typeof block.text === "string" && Object.keys(block).length === 2;
}
