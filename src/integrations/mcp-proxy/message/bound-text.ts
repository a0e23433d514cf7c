import { jsonBytes } from "../../../bytes/json/json-size.ts";
import { stringifyJson } from "../../../bytes/json/stringify-json.ts";
import type { JsonCut, TruncatedPart } from "../../../gate/render/mcp-facts.ts";
import type { BoundedResult, GateOptions } from "../../../gate/types.ts";
import type { Limits } from "../../../limits/types.ts";
import type { BoundContext } from "./bound-context.ts";
import { asOptions, type BoundPart, linkOf, storageFacts } from "./bound-part.ts";
import { indentOf, looksLikeJson, parseJsonText } from "./json-text.ts";
import type { SpooledString } from "./result-on-disk.ts";
import { shrinkJson } from "./shrink-json.ts";
import { measureText, readText, type TextSize, type TextSource } from "./text-source.ts";

const HEAD_BYTES = 64 * 1024;
/** A larger JSON text is shown from its beginning instead of being parsed. */
const MAX_JSON_BYTES = 16 * 1024 * 1024;
const SHRINK_TRIES = 12;

export interface BoundText extends BoundPart {
  readonly text: string;
}

type PartName = Pick<TruncatedPart, "part" | "index">;

/**
 * Puts a text through the gate; undefined when it was within the limits after all. A text that is JSON stays JSON (or,
 * when too large to parse, is shown from its beginning): no marker ever stands inside it.
 */
export async function boundText(
  source: TextSource,
  limits: Limits,
  name: PartName,
  context: BoundContext,
): Promise<BoundText | undefined> {
  const text = source.kind === "memory" ? source.text : await readJson(source.string);
  const parsed = text === undefined ? undefined : parseJsonText(text);
  const json = parsed !== undefined || (source.kind === "disk" && (await isJson(source.string)));
  const early = source.kind === "disk" ? await source.string.early?.claim(context, limits) : undefined;
  const uncounted = json || early !== undefined;
  const governed =
    early ??
    (await context.spillway.govern(source.kind === "memory" ? source.text : source.string.read(), {
      tool: context.tool,
      callId: context.callId,
      redacted: context.redacted,
      query: context.query,
      outcome: context.outcome,
      // Of JSON the gate's preview is not shown.
      ...(json ? { extension: "json", strategy: "head", counted: false } : {}),
      ...asOptions(limits),
    } as GateOptions));
  // JSON that is cut is counted when it is known what is shown of it.
  if (uncounted && (!json || governed.kind === "whole")) context.spillway.record(governed);
  if (governed.kind === "whole") return undefined;
  if (!json) return previewed(governed, name, context);
  if (parsed !== undefined && text !== undefined) {
    const shrunk = shrinkText(text, parsed, limits);
    if (shrunk) return described(governed, shrunk.text, { ...name, action: "shrunk", cuts: shrunk.cuts }, context);
  }
  const head = cutToFit(source.kind === "memory" ? source.text : await readText(source.string, HEAD_BYTES * 4), limits);
  return described(governed, head, { ...name, action: "preview" }, context);
}

async function isJson(string: SpooledString): Promise<boolean> {
  return string.early?.json ?? looksLikeJson(await readText(string, HEAD_BYTES));
}

/** The whole of a JSON text on disk that is small enough to be parsed. */
async function readJson(string: SpooledString): Promise<string | undefined> {
  if (string.escapedBytes > MAX_JSON_BYTES || !(await isJson(string))) return undefined;
  return readText(string, MAX_JSON_BYTES);
}

function previewed(governed: BoundedResult, name: PartName, context: BoundContext): BoundText {
  const link = linkOf(governed, context);
  const { preview } = governed;
  return {
    text: preview.text,
    link,
    hint: governed.hint,
    facts: {
      ...name,
      action: "preview",
      ...storageFacts(governed, link),
      kept_lines: preview.kept.lines,
      kept_bytes: preview.kept.bytes,
      omissions: preview.omissions,
    },
  };
}

function described(
  governed: BoundedResult,
  text: string,
  facts: PartName & Pick<TruncatedPart, "action" | "cuts">,
  context: BoundContext,
): BoundText {
  const link = linkOf(governed, context, "application/json");
  context.spillway.record(governed, { text, strategy: facts.action === "shrunk" ? "smart" : "head" });
  const kept = measureText({ kind: "memory", text });
  return {
    text,
    link,
    hint: governed.hint,
    facts: { ...facts, ...storageFacts(governed, link), kept_lines: kept.lines, kept_bytes: kept.bytes },
  };
}

function shrinkText(
  text: string,
  value: unknown,
  limits: Limits,
): { text: string; cuts: readonly JsonCut[] } | undefined {
  const indent = indentOf(text);
  let room = Math.min(limits.maxBytes, limits.maxChars * 3, limits.maxTokens * 4, Buffer.byteLength(text));
  for (let attempt = 0; attempt < SHRINK_TRIES; attempt += 1) {
    const shrunk = shrinkJson(value, Math.floor(room));
    const candidate = stringifyJson(shrunk.value, indent);
    const excess = excessOf(measureText({ kind: "memory", text: candidate }), limits);
    if (excess <= 1) return { text: candidate, cuts: shrunk.cuts };
    room = Math.min(room, jsonBytes(shrunk.value)) / Math.max(1.1, excess);
  }
  return undefined;
}

/** How many times over the limits a text is; at most 1 when it fits. */
export function excessOf(size: TextSize, limits: Limits): number {
  return Math.max(
    size.bytes / limits.maxBytes,
    size.lines / limits.maxLines,
    size.chars / limits.maxChars,
    limits.maxTokens === Infinity ? 0 : size.tokens / limits.maxTokens,
  );
}

function cutToFit(text: string, limits: Limits): string {
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (excessOf(measureText({ kind: "memory", text: text.slice(0, middle) }), limits) <= 1) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, low).toWellFormed?.() ?? text.slice(0, low);
}
