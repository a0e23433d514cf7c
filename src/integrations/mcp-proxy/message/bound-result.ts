import { fieldsOf, isObject } from "../../../bytes/json/is-object.ts";
import { stringifyJson } from "../../../bytes/json/stringify-json.ts";
import { fairShare } from "../../../gate/items/fair-share.ts";
import { jsonRoom } from "../../../gate/items/measure-value.ts";
import { type ArtifactLink, summarizeParts, TRUNCATION_META_KEY } from "../../../gate/render/mcp-facts.ts";
import { linkBlock, type NoticeRoom, renderMcpNotice, textBlock } from "../../../gate/render/mcp-notice.ts";
import type { GateOptions } from "../../../gate/types.ts";
import type { Limits } from "../../../limits/types.ts";
import type { JsonObject } from "../../mcp-shared/json-rpc.ts";
import type { BoundContext } from "./bound-context.ts";
import { boundMedia, type MediaPart, mediaBytes } from "./bound-media.ts";
import { asOptions, type BoundPart } from "./bound-part.ts";
import { boundRest } from "./bound-rest.ts";
import { boundStructured } from "./bound-structured.ts";
import { boundText, excessOf } from "./bound-text.ts";
import { besideOwn, carriedOver, joinBlock, ownOf, replaceText } from "./content-blocks.ts";
import { judgeStructured } from "./judge-structured.ts";
import { restoreStrings } from "./restore-strings.ts";
import { measureText, openText, type TextSize, type TextSource } from "./text-source.ts";

const NOTICE_BYTES = 1000;
const NOTICE_LINES = 8;

export interface BoundOutcome {
  /** The very object that was given when everything was within the limits. */
  readonly result: JsonObject;
  readonly artifacts: readonly ArtifactLink[];
  /** Other fields of the message, as far as they fit. */
  readonly outer?: JsonObject;
}

interface TextBlock {
  readonly index: number;
  readonly part: "text" | "resource";
  readonly source: TextSource;
  readonly size: TextSize;
}

/** Bounds the result of a tool call: within limits it is returned as it is; over, previews, links and typed facts. */
export async function boundResult(result: JsonObject, context: BoundContext): Promise<BoundOutcome> {
  const content: readonly unknown[] = Array.isArray(result.content) ? result.content : [];
  const { texts, media } = await classify(content, context);
  const blocks = new Map<number, JsonObject>();
  const parts: BoundPart[] = [];

  for (const item of chooseMedia(media, context)) {
    const bounded = await boundMedia(item, context);
    if (!bounded) continue;
    parts.push(bounded);
    blocks.set(item.index, { ...carriedOver(content[item.index]), ...textBlock(bounded.description) });
  }
  const total = addSizes(texts.map(({ size }) => size));
  const over = excessOf(total, context.limits) > 1;
  const sources = texts.map(({ source }) => source);
  const cut = over || blocks.size > 0;
  let fate = await judgeStructured(result.structuredContent, { sources, bytes: total.bytes, cut }, context);
  const structured =
    fate === "absent" || fate === "drop"
      ? undefined
      : await boundStructured(result.structuredContent, fate === "tell" ? besideTexts(total, context) : context);
  if (structured) parts.push(structured);
  const tell = async (): Promise<string> => {
    const value = structured ? structured.value : await restoreAll(result.structuredContent, context);
    return value === undefined ? "" : stringifyJson(value);
  };
  let told = fate === "tell" ? await tell() : "";

  const descriptions = [...blocks.values()].reduce((sum, block) => sum + Buffer.byteLength(String(block.text)), 0);
  // A part that was bounded is the call in the statistics already.
  if (!over && parts.length === 0) await countWhole(texts, context);
  const room = noticeRoom(context.limits);
  if (over) {
    const sizes = texts.map(({ size }) => size);
    const taken = { bytes: room.bytes + descriptions + Buffer.byteLength(told), lines: room.lines + blocks.size };
    const shares = shareLimits(sizes, context.limits, taken);
    for (const text of texts) {
      if (excessOf(text.size, shares) <= 1) continue;
      const bounded = await boundText(text.source, shares, { part: text.part, index: text.index }, context);
      if (!bounded) continue;
      parts.push(bounded);
      blocks.set(text.index, replaceText(content[text.index], bounded.text));
    }
  }
  const { content: _, structuredContent: __, ...fields } = result;
  const bounding = new Set([...texts, ...media].map(({ index }) => index));
  const others = content.flatMap((_block, index) => (bounding.has(index) ? [] : [index]));
  const beside = [...bounding].flatMap((index) => {
    const fields = besideOwn(content[index]);
    return Object.keys(fields).length > 0 ? [[index, fields] as const] : [];
  });
  const { jsonrpc: ___, id: ____, result: _____, ...outer } = context.message;
  const taken = over ? context.limits.maxBytes : total.bytes + descriptions;
  const { rest, part } = await boundRest(
    { message: outer, fields, blocks: others.map((index) => content[index]), beside: Object.fromEntries(beside) },
    taken,
    others,
    context,
  );
  if (part) parts.push(part);
  if (part && fate === "keep" && context.textOnly === true) {
    fate = "tell";
    told = await tell();
  }
  if (parts.length === 0) {
    const { structuredContent: _left, ...others } = result;
    return { result: await restoreAll(fate === "drop" ? others : result, context), artifacts: [] };
  }

  parts.sort((left, right) => (left.facts.index ?? content.length) - (right.facts.index ?? content.length));
  const links = parts.flatMap(({ link }) => (link ? [link] : []));
  const shown: unknown[] = [];
  for (const [index, block] of content.entries()) {
    if (bounding.has(index)) {
      const own = ownOf(blocks.get(index) ?? (await restoreAll(ownOf(block), context)));
      const replaced = isObject(block) && own.type !== block.type;
      shown.push(joinBlock(own, replaced ? carriedOver(rest.beside[index]) : rest.beside[index]));
    } else if (others.indexOf(index) < rest.blocks.length) shown.push(rest.blocks[others.indexOf(index)]);
  }
  if (told !== "") shown.push(textBlock(told));
  const notice = renderMcpNotice(parts, context, room);
  if (notice !== undefined) shown.push(textBlock(notice));
  if (context.links) shown.push(...links.map(linkBlock));

  const { _meta: meta, ...kept } = rest.fields;
  const bounded: JsonObject = {
    ...kept,
    content: shown,
    ...(fate === "keep" && !structured
      ? { structuredContent: await restoreAll(result.structuredContent, context) }
      : {}),
    ...(fate === "keep" && structured?.value ? { structuredContent: structured.value } : {}),
    // Without structured content a client that validates would reject a success; an error it takes as it is.
    ...(structured && !structured.value && context.outputSchema ? { isError: true } : {}),
    _meta: {
      ...fieldsOf(meta),
      [TRUNCATION_META_KEY]: summarizeParts(
        parts.map(({ facts }) => facts),
        context,
      ),
    },
  };
  return { result: bounded, artifacts: links, outer: rest.message };
}

/** Structured content that is shown as a text has what the texts leave of the limit, at least half of it. */
function besideTexts(texts: TextSize, context: BoundContext): BoundContext {
  const { maxBytes } = context.limits;
  const room = Math.max(Math.floor(maxBytes / 2), maxBytes - texts.bytes) - NOTICE_BYTES;
  return { ...context, limits: { ...context.limits, maxBytes: Math.max(1, room) } };
}

async function classify(
  content: readonly unknown[],
  context: BoundContext,
): Promise<{ texts: TextBlock[]; media: MediaPart[] }> {
  const texts: TextBlock[] = [];
  const media: MediaPart[] = [];
  for (const [index, block] of content.entries()) {
    if (!isObject(block)) continue;
    const inner = block.type === "resource" && isObject(block.resource) ? block.resource : block;
    const mimeType = typeof inner.mimeType === "string" ? inner.mimeType : "application/octet-stream";
    const isMedia = block.type === "image" || block.type === "audio";
    if (isMedia && typeof block.data === "string")
      media.push({
        index,
        part: block.type === "image" ? "image" : "audio",
        mimeType,
        source: await openText(block.data, context.spooled),
      });
    else if (inner !== block && typeof inner.blob === "string")
      media.push({ index, part: "resource", mimeType, source: await openText(inner.blob, context.spooled) });
    else if (typeof inner.text === "string" && (inner !== block || block.type === "text")) {
      const source = await openText(inner.text, context.spooled);
      texts.push({ index, part: inner === block ? "text" : "resource", source, size: measureText(source) });
    }
  }
  return { texts, media };
}

/** The media that must go so that the rest fits: the largest first. What no model can look at counts as text. */
function chooseMedia(media: readonly MediaPart[], { maxMediaBytes, limits }: BoundContext): MediaPart[] {
  const isShown = ({ mimeType }: MediaPart): boolean => /^(?:image|audio)\//.test(mimeType);
  const over = (parts: readonly MediaPart[], limit: number): MediaPart[] => {
    const sizes = parts.map(({ source }) => mediaBytes(source));
    const level = fairShare(sizes, limit);
    return parts.filter((_, index) => sizes[index]! > level);
  };
  const others = media.filter((one) => !isShown(one));
  return [...over(media.filter(isShown), maxMediaBytes ?? limits.maxBytes), ...over(others, limits.maxBytes)];
}

async function countWhole(texts: readonly TextBlock[], context: BoundContext): Promise<void> {
  const text = texts.map(({ source }) => (source.kind === "memory" ? source.text : "")).join("");
  const { tool, callId, redacted, outcome } = context;
  await context.spillway.govern(text, { tool, callId, redacted, outcome, ...asOptions(context.limits) } as GateOptions);
}

function shareLimits(sizes: readonly TextSize[], limits: Limits, reserve: NoticeRoom): Limits {
  const share = (limit: number, taken: number, sizeOf: (size: TextSize) => number): number => {
    if (!Number.isFinite(limit)) return limit;
    const level = fairShare(sizes.map(sizeOf), limit - taken);
    return Math.max(1, Math.min(level, limit));
  };
  return {
    maxBytes: share(limits.maxBytes, reserve.bytes, (size) => size.bytes),
    maxLines: share(limits.maxLines, reserve.lines, (size) => size.lines),
    maxChars: share(limits.maxChars, reserve.bytes, (size) => size.chars),
    maxTokens: share(limits.maxTokens, Math.ceil(reserve.bytes / 3), (size) => size.tokens),
  };
}

/** What a result's only text may take, when it is larger than the limits. */
export function limitsOfLoneText(limits: Limits): Limits {
  const endless = { bytes: Infinity, lines: Infinity, chars: Infinity, tokens: Infinity };
  return shareLimits([endless], limits, noticeRoom(limits));
}

function noticeRoom(limits: Limits): NoticeRoom {
  const smallest = jsonRoom(limits);
  return {
    bytes: Math.min(NOTICE_BYTES, Math.floor(smallest / 4)),
    lines: Math.min(NOTICE_LINES, Math.floor(limits.maxLines / 4)),
  };
}

function addSizes(sizes: readonly TextSize[]): TextSize {
  const sum = (pick: (size: TextSize) => number): number => sizes.reduce((total, size) => total + pick(size), 0);
  return {
    bytes: sum((size) => size.bytes),
    lines: sum((size) => size.lines),
    chars: sum((size) => size.chars),
    get tokens() {
      return sum((size) => size.tokens);
    },
  };
}

async function restoreAll<T>(value: T, context: BoundContext): Promise<T> {
  if (!context.spooled) return value;
  return (await restoreStrings(value, context.spooled, Number.MAX_SAFE_INTEGER)).value as T;
}
