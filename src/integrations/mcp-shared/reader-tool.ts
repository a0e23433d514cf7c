import { readPart } from "../../artifacts/read-lines.ts";
import { sayBasicPattern } from "../../artifacts/search/bounded-regex.ts";
import { grepArtifact, searchArtifact } from "../../artifacts/search/search-artifact.ts";
import type { ArtifactStore, FoundArtifact } from "../../artifacts/types.ts";
import { fieldsOf } from "../../bytes/json/is-object.ts";
import { invalidArgument, isSpillwayError } from "../../errors.ts";
import { describeMedia, mediaBlock, renderMcpError, textBlock } from "../../gate/render/mcp-notice.ts";
import { MAX_BYTES } from "../../limits/defaults.ts";
import { pluralOf } from "../../preview/omission.ts";
import type { JsonObject } from "./json-rpc.ts";
import { findArtifact, parseRange, readBytes, readMedia } from "./read-artifact.ts";

/** The one tool that reads saved outputs in every way: a client pays for its definition with each request. */
export const READER_NAME = "spillway_read";

const DEFAULT_LINES = 200;
const DEFAULT_MATCHES = 50;
const DEFAULT_PASSAGES = 5;
const GREP_BYTES = 16 * 1024;
const SEARCH_BYTES = 8 * 1024;
const TITLE = "Read a saved output";

/** Possible results of the reader. */
export interface ReaderLimits {
  /** Most bytes of text. @default 51200 */
  readonly maxBytes?: number | undefined;
  /** Most base64 characters of an image. */
  readonly maxMediaBytes: number;
}

/** Room for the line below an answer. */
const FOOTER_BYTES = 400;

/** Most bytes of an output in one answer of the reader. */
export function readerRoom(maxBytes: number = MAX_BYTES): number {
  return Math.max(1, maxBytes - FOOTER_BYTES);
}

export const READER_DESCRIPTION =
  "Reads the full output that was saved when a tool's result was truncated. With pattern: lines that match. With query: passages that fit these words. With all: the whole output in parts; the answer says how many calls that takes. Else lines from offset on.";

/** Its parameters as JSON Schema. */
export const READER_SCHEMA = {
  type: "object" as const,
  properties: {
    id: { type: "string", description: "Artifact id from the truncated result" },
    pattern: { type: "string", description: "Regular expression" },
    ignore_case: { type: "boolean" },
    query: { type: "string" },
    offset: { type: "integer", minimum: 1, description: "First line, from 1" },
    limit: { type: "integer", minimum: 1, description: "Lines, matches or passages" },
    bytes: { type: "string", description: 'Instead of lines: "A-B" from 0, for very long lines' },
    all: { type: "boolean" },
    part: { type: "integer", minimum: 1, description: "With all: which part" },
    max_bytes: { type: "integer", minimum: 32, description: "With all: most bytes of a part" },
  },
  required: ["id"],
  additionalProperties: false as const,
};

/** The reader as `tools/list` shows it, under the given name. */
export function describeReader(name: string): JsonObject {
  return {
    name,
    title: TITLE,
    description: READER_DESCRIPTION,
    inputSchema: READER_SCHEMA,
    annotations: {
      title: TITLE,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
}

/** Calls the reader; errors in a call are returned to the model as an error result. */
export async function callReader(args: unknown, store: ArtifactStore, limits: ReaderLimits): Promise<JsonObject> {
  try {
    const answered = await answer(fieldsOf(args), store, limits);
    return { content: typeof answered === "string" ? [textBlock(answered)] : answered };
  } catch (error) {
    if (!isSpillwayError(error) && !(error instanceof SyntaxError)) throw error;
    return renderMcpError((error as Error).message);
  }
}

async function answer(
  args: JsonObject,
  store: ArtifactStore,
  { maxBytes = MAX_BYTES, maxMediaBytes }: ReaderLimits,
): Promise<string | JsonObject[]> {
  const artifact = await findArtifact(text(args, "id"), store);
  const all = args.all === true;
  const ways = ["pattern", "query", "bytes"].filter((key) => args[key] !== undefined);
  if (all) ways.unshift("all", ...["offset", "limit"].filter((key) => args[key] !== undefined));
  if (ways.length > 1) throw invalidArgument(`${ways.join(" and ")} ask for two different things; give one.`);
  const room = readerRoom(maxBytes);
  if (args.pattern !== undefined) return grep(artifact, args, store, room);
  if (args.query !== undefined) return search(artifact, args, store, room);
  if (args.bytes !== undefined) return readRange(artifact, args, store, room);
  const media = await readMedia(artifact, store, maxMediaBytes);
  if (media?.base64 !== undefined) return [mediaBlock(media, media.base64), textBlock(`[${describeMedia(media)}]`)];
  if (media) return `[${describeMedia(media)}: not shown. Its file is ${artifact.path}.]`;
  return all ? readAll(artifact, args, store, room) : readLines(artifact, args, store, room);
}

async function readAll({ id, manifest }: FoundArtifact, args: JsonObject, store: ArtifactStore, room: number) {
  const part = integer(args, "part", 1);
  const size = manifest?.bytes ?? (await store.readLines(id, { offsetLine: 1, limit: 1, maxBytes: 4 })).totalBytes;
  const source = { size, read: (startByte: number, endByte: number) => readBytes(store, id, { startByte, endByte }) };
  const found = await readPart(source, { part, maxBytes: Math.min(integer(args, "max_bytes", room), room) });
  const left = found.parts - part;
  const budget = args.max_bytes === undefined ? {} : { max_bytes: args.max_bytes };
  const next = JSON.stringify({ id, all: true, part: part + 1, ...budget });
  const more = left === 0 ? "That was all." : `${left} more ${pluralOf(left, "call")} to read all. Next: ${next}`;
  return `${withNewline(found.text)}[part ${part} of ${found.parts}, bytes ${found.startByte}-${found.endByte} of ${size}. ${more}]`;
}

async function readLines(
  artifact: FoundArtifact,
  args: JsonObject,
  store: ArtifactStore,
  room: number,
): Promise<string> {
  const offsetLine = integer(args, "offset", 1);
  const limit = integer(args, "limit", DEFAULT_LINES);
  const page = await store.readLines(artifact.id, { offsetLine, limit, maxBytes: room });
  if (page.endLine < page.startLine)
    return `[line ${offsetLine} is after the end: ${artifact.id} has ${page.totalLines} ${pluralOf(page.totalLines, "line")}, ${page.totalBytes} ${pluralOf(page.totalBytes, "byte")}]`;
  const more = page.lineCut
    ? ` The line goes on; next: {"id":${JSON.stringify(artifact.id)},"bytes":"${page.endByte}-${page.endByte + room}"}`
    : page.endLine < page.totalLines
      ? ` Next: {"id":${JSON.stringify(artifact.id)},"offset":${page.endLine + 1},"limit":${limit}}`
      : "";
  return `${withNewline(page.text)}[lines ${page.startLine}-${page.endLine} of ${page.totalLines}.${more}]`;
}

async function readRange(
  artifact: FoundArtifact,
  args: JsonObject,
  store: ArtifactStore,
  room: number,
): Promise<string> {
  const [startByte, endByte] = parseRange(text(args, "bytes"), "bytes", 0);
  const end = Math.min(endByte, startByte + room);
  const bytes = await readBytes(store, artifact.id, { startByte, endByte: end });
  const decoded = new TextDecoder("utf-8").decode(bytes);
  return `${withNewline(decoded)}[bytes ${startByte}-${startByte + bytes.length}${artifact.manifest ? ` of ${artifact.manifest.bytes}` : ""}]`;
}

async function grep(artifact: FoundArtifact, args: JsonObject, store: ArtifactStore, room: number): Promise<string> {
  const pattern = text(args, "pattern");
  const options = {
    ignoreCase: args.ignore_case === true,
    maxBytes: Math.min(room, GREP_BYTES),
    limit: integer(args, "limit", DEFAULT_MATCHES),
  };
  const found = await grepArtifact(store, artifact, pattern, options);
  const lines = found.matches.map(
    (match) =>
      `${match.line}:${match.cutBefore ? "…" : ""}${match.text}${match.cutAfter ? "…" : ""}${match.cutBefore || match.cutAfter ? ` [byte ${match.matchByte}]` : ""}`,
  );
  const shown = found.complete ? "" : `; ${found.matches.length} shown`;
  const basic = found.totalMatches === 0 ? sayBasicPattern(pattern) : "";
  return [
    ...lines,
    `[${found.totalMatches} ${pluralOf(found.totalMatches, "match")} in ${found.matchingLines} ${pluralOf(found.matchingLines, "line")}${shown}]`,
    ...(basic === "" ? [] : [`[${basic}]`]),
  ].join("\n");
}

async function search(artifact: FoundArtifact, args: JsonObject, store: ArtifactStore, room: number): Promise<string> {
  const words = text(args, "query");
  const options = { limit: integer(args, "limit", DEFAULT_PASSAGES), maxBytes: Math.min(room, SEARCH_BYTES) };
  const passages = await searchArtifact(store, artifact, words, options);
  if (passages.length === 0) return "[no passage has any of these words]";
  return passages
    .map(({ startLine, endLine, text: found }) => `[lines ${startLine}-${endLine}]\n${found}`)
    .join("\n\n");
}

function withNewline(value: string): string {
  return value === "" || value.endsWith("\n") ? value : `${value}\n`;
}

function text(args: JsonObject, key: string): string {
  const value = args[key];
  if (typeof value !== "string" || value === "") throw invalidArgument(`${key} must be a text that is not empty.`);
  return value;
}

function integer(args: JsonObject, key: string, fallback: number): number {
  const value = args[key] ?? fallback;
  if (typeof value !== "number" || !Number.isInteger(value) || value < 1)
    throw invalidArgument(`${key} must be a whole number from 1 on, not ${JSON.stringify(value)}.`);
  return value;
}
