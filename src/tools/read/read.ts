import { createHash } from "node:crypto";
import { z } from "zod";
import { closing } from "../../artifacts/byte-source.ts";
import type { ArtifactLocation } from "../../artifacts/types.ts";
import { countNewlines } from "../../bytes/count-newlines.ts";
import { MAX_BYTES, MAX_LINES } from "../../limits/defaults.ts";
import { formatPlural } from "../../preview/omission.ts";
import { ToolFailure } from "../../protocol/builder.ts";
import type { ToolResponse } from "../../protocol/types.ts";
import { defineTool } from "../registry/define-tool.ts";
import type { ToolRun } from "../registry/tool-run.ts";
import { findArtifact, orArtifact } from "../sandbox/artifact-path.ts";
import type { SandboxedHandle } from "../sandbox/sandbox.ts";
import { readArtifactBytes, readArtifactLines, readArtifactPart } from "./read-artifact.ts";
import { parseByteRange, readFileBytes } from "./read-bytes.ts";
import { checkPageIsText, numberLines, openTextSource } from "./read-page.ts";

const READ_LIMIT = MAX_LINES;
/** Lines of a larger file are not counted to the end. */
const COUNT_BYTES = 128 << 20;
/** A larger file gets no hash. */
const HASH_BYTES = 16 << 20;
/** Names the gate gives to artifacts; these are read through the store, which knows where their lines are. */
const ARTIFACT_NAME = /(?:^|[/\\])tool_\d{8}_\d{6}_[^/\\]*$/;

/** Reads a text file page by page. */
export const readTool = defineTool({
  name: "Read",
  aliases: ["read_file"],
  description: `Read a text file with line numbers, at most ${READ_LIMIT} lines and ${MAX_BYTES} bytes a call; page on with offset, or with bytes inside a very long line. Also reads a saved tool output, by its path or id.`,
  readOnly: true,
  findsArtifacts: true,
  parameters: z.strictObject({
    path: z.string().min(1).describe("File, relative to the root; or the id of a saved tool output."),
    offset: z.int().min(1).default(1).describe("First line, from 1."),
    limit: z.int().min(1).default(READ_LIMIT).describe("Most lines to return."),
    bytes: z.string().optional().describe('Byte range "A-B" instead of lines: from A up to, not including, B.'),
    all: z.boolean().optional().describe("All of a saved output in parts; the answer says how many calls that takes."),
    part: z.int().min(1).default(1).describe("With all: which part."),
  }),
  async execute(args, run) {
    const range = args.bytes === undefined ? undefined : parseByteRange(args.bytes);
    const page = { offset: args.offset, limit: args.limit };
    const fromArtifact = (artifact: ArtifactLocation) => {
      if (args.all === true) return readArtifactPart(run, artifact, args.part);
      return range === undefined ? readArtifactLines(run, artifact, page) : readArtifactBytes(run, artifact, range);
    };
    if (ARTIFACT_NAME.test(args.path)) {
      const artifact = await findArtifact(run, args.path);
      if (artifact !== undefined) return fromArtifact(artifact);
    }
    const fromFile = async () => {
      if (args.all === true) {
        throw new ToolFailure("INVALID_PARAM", `${args.path} is no saved output; all reads only these.`, {
          next: `Read ${JSON.stringify({ path: args.path })} reads a file by lines.`,
        });
      }
      const file = await run.sandbox.openFile(args.path);
      return closing(file.handle, () =>
        range === undefined ? readFileLines(run, file, page) : readFileBytes(run, file, range),
      );
    };
    return orArtifact(run, args.path, fromFile, fromArtifact);
  },
});

interface PageRequest {
  readonly offset: number;
  readonly limit: number;
}

async function readFileLines(
  run: ToolRun,
  file: SandboxedHandle,
  { offset, limit }: PageRequest,
): Promise<ToolResponse> {
  const limits = await run.limits();
  const source = await openTextSource(file);
  const maxLines = Math.min(limit, limits.maxLines);
  const maxBytes = Math.min(limits.maxBytes, 4 * Math.min(limits.maxChars, limits.maxTokens * 4));
  const hash = file.stats.size <= HASH_BYTES ? createHash("sha256") : undefined;
  const chunks = source.chunks((bytes) => void hash?.update(bytes));
  const scanned = await scanPage(chunks, {
    offsetLine: offset,
    maxLines,
    maxBytes,
    countToEnd: file.stats.size <= COUNT_BYTES,
  });
  const { totalLines } = scanned;
  if (totalLines !== undefined && offset > Math.max(1, totalLines)) {
    throw new ToolFailure(
      "INVALID_PARAM",
      `${file.relative} has ${formatPlural(totalLines, "line")}; there is no line ${offset}.`,
      {
        next: `Read ${JSON.stringify({ path: file.relative, offset: Math.max(1, totalLines - limit + 1), limit })} shows its end.`,
      },
    );
  }
  const { encoding } = source;
  const page = numberLines(scanned.bytes, {
    offsetLine: offset,
    maxLines,
    limits,
    encoding: source.chunkEncoding,
    reachesEnd: scanned.reachesEnd,
  });
  checkPageIsText(file, scanned.bytes.subarray(0, page.usedBytes));
  const digest = totalLines === undefined ? undefined : hash?.digest("hex");
  if (digest !== undefined) run.remember(file.real, digest);
  const atEnd = scanned.reachesEnd && page.usedBytes === scanned.bytes.length;
  const data = {
    content: page.content,
    truncated: !atEnd,
    encoding: encoding.name,
    ...(page.lineEnding === undefined ? {} : { line_ending: page.lineEnding }),
    ...(digest === undefined ? {} : { hash: digest }),
    ...(encoding.guessed ? { fallback: encoding.name } : {}),
  };
  const parts = {
    path: file.relative,
    paged: true,
    stats: {
      ...(totalLines === undefined ? {} : { total_lines: totalLines }),
      total_bytes: file.stats.size,
      start_line: offset,
      end_line: page.endLine,
    },
  };
  const total = totalLines === undefined ? `a file of ${file.stats.size} bytes` : `${totalLines}`;
  const text =
    page.endLine < offset
      ? `${file.relative} is empty.`
      : `Read lines ${offset} to ${page.endLine} of ${total} from ${file.relative}.`;
  if (atEnd && !encoding.guessed) return run.success({ ...data, truncated: false } as never, text, parts);
  const because = [
    ...(encoding.guessed
      ? [`the encoding is unknown; it was read as ${encoding.name} and may show wrong characters`]
      : []),
    ...(page.lineCut ? [`line ${offset} is too long to show whole`] : !atEnd ? ["there are more lines"] : []),
  ].join("; ");
  const nextLine = { path: file.relative, offset: page.endLine + 1 };
  const endByte = scanned.startByte + page.usedBytes;
  const goOn = { path: file.relative, bytes: `${endByte}-${endByte + Math.min(limits.maxBytes, MAX_BYTES)}` };
  const next = atEnd
    ? "Ask for the encoding when characters look wrong."
    : page.lineCut && source.rawPositions
      ? `Read ${JSON.stringify(goOn)} goes on inside the line; Read ${JSON.stringify(nextLine)} after it.`
      : `Read ${JSON.stringify(nextLine)} goes on.`;
  return run.partial(data as typeof data & { truncated: true }, text, { because, next }, parts);
}

interface ScanOptions {
  /** First line, from 1. */
  readonly offsetLine: number;
  readonly maxLines: number;
  /** Most bytes to collect. */
  readonly maxBytes: number;
  /** Reads on to the end to count the lines; otherwise stops once the page is full. */
  readonly countToEnd: boolean;
}

/** The raw bytes of a page, and facts about the whole file. */
interface ScannedPage {
  /** From the beginning of line `offsetLine`; its last line may be incomplete. */
  readonly bytes: Buffer;
  readonly startByte: number;
  /** True when `bytes` reaches the end of the file. */
  readonly reachesEnd: boolean;
  /** Undefined when the lines were not counted to the end. */
  readonly totalLines: number | undefined;
}

/** Reads a page and counts lines in one pass, in memory bounded by the page; stops early on a large file. */
async function scanPage(chunks: AsyncIterable<Uint8Array>, options: ScanOptions): Promise<ScannedPage> {
  const { offsetLine, maxLines, maxBytes, countToEnd } = options;
  const collected: Uint8Array[] = [];
  let collectedBytes = 0;
  let linesLeft = maxLines;
  let seen = 0;
  let newlines = 0;
  let lastByte = 10;
  let startByte: number | undefined = offsetLine === 1 ? 0 : undefined;
  let full = false;
  let exhausted = true;
  for await (const chunk of chunks) {
    if (full && !countToEnd) {
      exhausted = false;
      break;
    }
    let from = startByte === undefined ? -1 : 0;
    if (startByte === undefined && newlines + countNewlines(chunk) >= offsetLine - 1) {
      from = positionAfter(chunk, offsetLine - 1 - newlines);
      startByte = seen + from;
    }
    newlines += countNewlines(chunk);
    seen += chunk.length;
    lastByte = chunk.at(-1) ?? lastByte;
    if (from === -1 || full) continue;
    const part = chunk.subarray(from, Math.min(chunk.length, from + maxBytes + 8 - collectedBytes));
    collected.push(part);
    collectedBytes += part.length;
    linesLeft -= countNewlines(part);
    full = linesLeft <= 0 || collectedBytes > maxBytes;
  }
  const bytes = Buffer.concat(collected);
  const start = startByte ?? seen;
  const reachesEnd = exhausted && start + bytes.length >= seen;
  return {
    bytes,
    startByte: start,
    reachesEnd,
    totalLines: exhausted ? newlines + (lastByte === 10 ? 0 : 1) : undefined,
  };
}

function positionAfter(chunk: Uint8Array, newlines: number): number {
  let at = 0;
  for (let count = 0; count < newlines; count++) at = chunk.indexOf(10, at) + 1;
  return at;
}
