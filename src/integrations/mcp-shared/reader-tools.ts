import { grepFile } from "../../artifacts/search/grep-file.ts";
import { searchPassages } from "../../artifacts/search/search-passages.ts";
import type { ArtifactStore } from "../../artifacts/types.ts";
import { isSpillwayError, SpillwayError } from "../../errors.ts";
import { MAX_BYTES } from "../../limits/defaults.ts";
import { parseRange } from "./artifact-uri.ts";
import { type FoundArtifact, findArtifact } from "./find-artifact.ts";
import { isObject, type JsonObject } from "./json-rpc.ts";
import { readBytes } from "./read-artifact.ts";

export const READER_KINDS = ["read", "grep", "search"] as const;
export type ReaderKind = (typeof READER_KINDS)[number];

const DEFAULT_LINES = 200;
const DEFAULT_MATCHES = 50;
const DEFAULT_PASSAGES = 5;

const ID = {
  type: "string",
  description: "Artifact id, as the notice or resource link of a truncated result gives it",
};

const SCHEMAS: Readonly<
  Record<ReaderKind, { readonly title: string; readonly description: string; readonly inputSchema: JsonObject }>
> = {
  read: {
    title: "Read part of a saved output",
    description: `Reads lines or bytes of a full tool output that Spillway saved when its result was too large. At most ${MAX_BYTES} bytes a call.`,
    inputSchema: {
      type: "object",
      properties: {
        id: ID,
        offset: { type: "integer", minimum: 1, description: "First line, from 1", default: 1 },
        limit: { type: "integer", minimum: 1, description: "Lines to read", default: DEFAULT_LINES },
        bytes: {
          type: "string",
          description: 'Instead of lines: bytes "A-B", from 0, B not included; for very long lines',
        },
      },
      required: ["id"],
      additionalProperties: false,
    },
  },
  grep: {
    title: "Find a pattern in a saved output",
    description:
      "Finds the lines of a saved full output that match a regular expression, with line numbers. Works inside very long lines too.",
    inputSchema: {
      type: "object",
      properties: {
        id: ID,
        pattern: { type: "string", description: "Regular expression" },
        ignore_case: { type: "boolean", default: false },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: 500,
          description: "Most matches to show",
          default: DEFAULT_MATCHES,
        },
      },
      required: ["id", "pattern"],
      additionalProperties: false,
    },
  },
  search: {
    title: "Search a saved output by words",
    description:
      "Ranks the passages of a saved full output by how well they fit some words, for when the exact text is not known.",
    inputSchema: {
      type: "object",
      properties: {
        id: ID,
        query: { type: "string", description: "Words to look for" },
        limit: {
          type: "integer",
          minimum: 1,
          maximum: 50,
          description: "Most passages to show",
          default: DEFAULT_PASSAGES,
        },
      },
      required: ["id", "query"],
      additionalProperties: false,
    },
  },
};

/** The reader tools as `tools/list` shows them, under the given names. */
export function describeReaders(names: Readonly<Record<ReaderKind, string>>): JsonObject[] {
  return READER_KINDS.map((kind) => ({
    name: names[kind],
    ...SCHEMAS[kind],
    annotations: {
      title: SCHEMAS[kind].title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  }));
}

/** Calls a reader tool; what is wrong with a call is told to the model as an error result. */
export async function callReader(kind: ReaderKind, args: unknown, store: ArtifactStore): Promise<JsonObject> {
  try {
    const text = await answer(kind, isObject(args) ? args : {}, store);
    return { content: [{ type: "text", text }] };
  } catch (error) {
    if (!isSpillwayError(error) && !(error instanceof SyntaxError)) throw error;
    return { content: [{ type: "text", text: (error as Error).message }], isError: true };
  }
}

async function answer(kind: ReaderKind, args: JsonObject, store: ArtifactStore): Promise<string> {
  const artifact = await findArtifact(text(args, "id"), store);
  if (kind === "read")
    return args.bytes === undefined ? readLines(artifact, args, store) : readRange(artifact, args, store);
  if (kind === "grep") return grep(artifact, args);
  return search(artifact, args);
}

async function readLines(artifact: FoundArtifact, args: JsonObject, store: ArtifactStore): Promise<string> {
  const offsetLine = integer(args, "offset", 1);
  const limit = integer(args, "limit", DEFAULT_LINES);
  const page = await store.readLines(artifact.id, { offsetLine, limit, maxBytes: MAX_BYTES - 400 });
  if (page.endLine < page.startLine)
    return `[line ${offsetLine} is after the end: ${artifact.id} has ${page.totalLines} lines, ${page.totalBytes} bytes]`;
  const more = page.lineCut
    ? ` The line goes on; next: {"id":${JSON.stringify(artifact.id)},"bytes":"${page.endByte}-${page.endByte + MAX_BYTES - 400}"}`
    : page.endLine < page.totalLines
      ? ` Next: {"id":${JSON.stringify(artifact.id)},"offset":${page.endLine + 1},"limit":${limit}}`
      : "";
  return `${withNewline(page.text)}[lines ${page.startLine}-${page.endLine} of ${page.totalLines}.${more}]`;
}

async function readRange(artifact: FoundArtifact, args: JsonObject, store: ArtifactStore): Promise<string> {
  const [startByte, endByte] = parseRange(text(args, "bytes"), "bytes", 0);
  const end = Math.min(endByte, startByte + MAX_BYTES - 400);
  const bytes = await readBytes(store, artifact.id, { startByte, endByte: end });
  const decoded = new TextDecoder("utf-8").decode(bytes);
  return `${withNewline(decoded)}[bytes ${startByte}-${startByte + bytes.length}${artifact.manifest ? ` of ${artifact.manifest.bytes}` : ""}]`;
}

async function grep(artifact: FoundArtifact, args: JsonObject): Promise<string> {
  const found = await grepFile(artifact.path, text(args, "pattern"), {
    ignoreCase: args.ignore_case === true,
    limit: integer(args, "limit", DEFAULT_MATCHES),
  });
  const lines = found.matches.map(
    (match) =>
      `${match.line}:${match.cutBefore ? "…" : ""}${match.text}${match.cutAfter ? "…" : ""}${match.cutBefore || match.cutAfter ? ` [byte ${match.matchByte}]` : ""}`,
  );
  const shown = found.complete ? "" : `; ${found.matches.length} shown`;
  return [...lines, `[${found.totalMatches} matches in ${found.matchingLines} lines${shown}]`].join("\n");
}

async function search(artifact: FoundArtifact, args: JsonObject): Promise<string> {
  const passages = await searchPassages(artifact.path, text(args, "query"), {
    limit: integer(args, "limit", DEFAULT_PASSAGES),
  });
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
  if (typeof value !== "string" || value === "")
    throw new SpillwayError("INVALID_ARGUMENT", `${key} must be a text that is not empty.`);
  return value;
}

function integer(args: JsonObject, key: string, fallback: number): number {
  const value = args[key] ?? fallback;
  if (typeof value !== "number" || !Number.isInteger(value) || value < 1)
    throw new SpillwayError(
      "INVALID_ARGUMENT",
      `${key} must be a whole number from 1 on, not ${JSON.stringify(value)}.`,
    );
  return value;
}
