import { countParts } from "../../artifacts/read-lines.ts";
import { formatCount, formatPlural } from "../../preview/omission.ts";
import type { Size } from "../../preview/types.ts";
import type { ToolResponse } from "../../protocol/types.ts";
import type { Hint } from "../hint.ts";
import type { Storage } from "../types.ts";
import { type ArtifactLink, TRUNCATION_META_KEY, type TruncatedPart } from "./mcp-facts.ts";

export type McpTextBlock = { type: "text"; text: string };
export type McpTextResult = { content: McpTextBlock[]; isError?: true };

export function textBlock(text: string): McpTextBlock {
  return { type: "text", text };
}

/** A failure that the model gets to read. */
export function renderMcpError(text: string): McpTextResult {
  return { content: [textBlock(text)], isError: true };
}

/** The envelope as text, with the truncation facts as typed metadata. */
export function renderMcpResponse(response: ToolResponse): McpTextResult & { _meta?: Record<string, unknown> } {
  const { truncation } = response.data;
  return {
    content: [textBlock(JSON.stringify(response))],
    ...(response.status === "error" ? { isError: true } : {}),
    ...(truncation === undefined ? {} : { _meta: { [TRUNCATION_META_KEY]: truncation } }),
  };
}

/** A link from which a client can read the full result. */
export function linkBlock(link: ArtifactLink): Record<string, unknown> {
  return {
    type: "resource_link",
    uri: link.uri,
    name: link.name,
    mimeType: link.mimeType,
    size: link.bytes,
    description: `The full output of ${link.tool}; add ?lines=A-B or ?bytes=A-B to read a part`,
  };
}

/** Description of an image, a sound or a file. */
export interface MediaFacts {
  readonly kind: string;
  readonly mimeType: string;
  readonly bytes: number;
  readonly dimensions: { readonly width: number; readonly height: number } | undefined;
}

/** An image or a sound. */
export function mediaBlock({ kind, mimeType }: MediaFacts, base64: string): Record<string, unknown> {
  return { type: kind, data: base64, mimeType };
}

/** "image of type image/png, 1280 x 720 pixels, 51,200 bytes". */
export function describeMedia({ kind, mimeType, bytes, dimensions }: MediaFacts): string {
  const size = dimensions ? `${dimensions.width} x ${dimensions.height} pixels, ` : "";
  return `${kind} of type ${mimeType}, ${size}${formatPlural(bytes, "byte")}`;
}

/** Text that replaces media over the limit. */
export function renderMediaNotice(media: MediaFacts, storage: Storage, link: ArtifactLink | undefined): string {
  const where = link
    ? `It is saved as ${link.path}; its resource is ${link.uri}`
    : `It could not be saved: ${"lost" in storage ? storage.lost : "unknown reason"}`;
  return `[${describeMedia(media)}, over the limit and not shown. ${where}.]`;
}

const EXAMPLE_LINES = 200;
const EXAMPLE_BYTES = 20_000;

/** Room that a notice may take out of a result's limits. */
export interface NoticeRoom {
  readonly bytes: number;
  readonly lines: number;
}

/** A part of a result that was bounded, as far as a notice tells of it. */
export interface NoticePart {
  readonly facts: TruncatedPart;
  /** The gate's hint, for hosts that word it themselves. */
  readonly hint?: Hint | undefined;
}

/** The reader of a notice. */
export interface NoticeReader {
  /** The tool that reads artifacts, as the client's model sees it. @default resources */
  readonly reader?: string | undefined;
  /** The tool that answers SQL questions, as the client's model sees it. */
  readonly queryTool?: string | undefined;
  /** Most bytes of an output in one answer of that tool. */
  readonly readerBytes?: number | undefined;
  /** The host's own wording of the next step. */
  readonly words?: ((hint: Hint) => string) | undefined;
}

/** The longest notice that fits: the omission, the place of the full output, and a next call that works. */
export function renderMcpNotice(
  bounded: readonly NoticePart[],
  { words, ...reader }: NoticeReader,
  room: NoticeRoom,
): string | undefined {
  const parts = bounded.map(({ facts }) => facts);
  const lines = [
    ...parts.map(describe),
    ...(wordAll(bounded, words) ?? [...adviseAll(parts, reader), ...adviseQuery(bounded, reader)]),
  ];
  const candidates = [lines.join("\n"), lines.join(" "), describe(parts[0]!)];
  return candidates.find((text) => fits(text, room));
}

function opening({ mark }: TruncatedPart): string {
  return mark === undefined ? "[spillway:" : `[spillway ${mark}:`;
}

function fits(text: string, room: NoticeRoom): boolean {
  return Buffer.byteLength(text) <= room.bytes && text.split("\n").length <= room.lines;
}

function describe(part: TruncatedPart): string {
  const what =
    part.part === "message"
      ? "other fields"
      : part.index === undefined
        ? part.part
        : `${part.part} block ${part.index + 1}`;
  const shown =
    part.action === "removed"
      ? "left out"
      : part.action === "replaced"
        ? "replaced by a description"
        : part.kept_items === undefined
          ? `${formatCount(part.kept_bytes)} shown`
          : `${formatPlural(part.kept_items, "item")}, ${formatPlural(part.kept_bytes, "byte")} shown`;
  const items = part.original_items === undefined ? "" : `${formatPlural(part.original_items, "item")}, `;
  const size = items || (part.original_lines > 0 ? `${formatPlural(part.original_lines, "line")}, ` : "");
  const where = part.artifact_id ? `Complete in artifact ${part.artifact_id}.` : "";
  const lost = part.lost ? `Not saved in full: ${part.lost}.` : "";
  return `${opening(part)} ${what}: ${size}${formatPlural(part.original_bytes, "byte")}, ${shown}.${where ? ` ${where}` : ""}${lost ? ` ${lost}` : ""}]`;
}

/** The host's own hint for the first part. */
function wordAll(parts: readonly NoticePart[], words: NoticeReader["words"]): readonly string[] | undefined {
  const hint = parts.find((part) => part.hint !== undefined)?.hint;
  if (words === undefined || hint === undefined) return undefined;
  const { words: _, ...facts } = hint;
  return [words(facts)].filter((text) => text !== "");
}

function adviseAll(parts: readonly TruncatedPart[], { reader, readerBytes }: Omit<NoticeReader, "words">): string[] {
  const part = parts.find((candidate) => candidate.artifact_id && candidate.action !== "replaced");
  if (!part?.artifact_id) return [];
  const first = part.omissions?.[0];
  const byLine = first && first.lines > 0;
  const startByte = first?.startByte ?? 0;
  const bytes = `${startByte}-${startByte + Math.min(EXAMPLE_BYTES, (first?.bytes ?? part.original_bytes) || 1)}`;
  const limit = Math.min(EXAMPLE_LINES, first?.lines ?? EXAMPLE_LINES);
  if (reader === undefined) {
    const range = byLine ? `lines=${first.startLine}-${first.startLine + limit - 1}` : `bytes=${bytes}`;
    return [
      `${opening(part)} do not ask for all of it again; read a part as the resource ${part.uri}?${range}, or the file ${part.full_output_path}.]`,
    ];
  }
  const id = part.artifact_id;
  const range = byLine ? { id, offset: first.startLine, limit } : { id, bytes };
  const calls = readerBytes === undefined ? undefined : countParts(part.original_bytes, readerBytes);
  const all =
    calls === undefined ? "" : `. All of it, in ${formatPlural(calls, "call")}: ${JSON.stringify({ id, all: true })}`;
  return [
    `${opening(part)} do not ask for all of it again. Find: ${reader} ${JSON.stringify({ id, pattern: "error" })} or ` +
      `${JSON.stringify({ id, query: "what failed" })}. Read on: ${reader} ${JSON.stringify(range)}${all}]`,
  ];
}

/** The rows of the first part that has some, and a query that works as it is. */
function adviseQuery(bounded: readonly NoticePart[], { queryTool }: Omit<NoticeReader, "words">): string[] {
  const part = bounded.find(({ facts, hint }) => facts.artifact_id && hint?.tables !== undefined);
  const tables = part?.hint?.tables;
  if (queryTool === undefined || part === undefined || tables === undefined) return [];
  const call = JSON.stringify({ id: part.facts.artifact_id, sql: tables.example });
  return [`${opening(part.facts)} count and filter by SQL, ${tables.summary}: ${queryTool} ${call}]`];
}

/** The notice inside structured content, for clients that show nothing else. */
export function renderStructuredNotice(
  size: Size,
  link: ArtifactLink | undefined,
  { reader }: Pick<NoticeReader, "reader">,
): string {
  const all = `Truncated: this is part of ${formatPlural(size.bytes, "byte")}.`;
  if (link === undefined) return `${all} The whole could not be saved.`;
  const call = reader === undefined ? link.uri : `${reader} ${JSON.stringify({ id: link.id })}`;
  return `${all} Complete in artifact ${link.id}: ${call}`;
}
