import { readPart } from "../../artifacts/read-lines.ts";
import type { ArtifactLocation, ByteRange } from "../../artifacts/types.ts";
import { floorCodePoint } from "../../bytes/utf8.ts";
import { pathBelow } from "../../platform/folders.ts";
import { pluralOf } from "../../preview/omission.ts";
import { ToolFailure } from "../../protocol/builder.ts";
import type { ToolResponse } from "../../protocol/types.ts";
import type { ToolRun } from "../registry/tool-run.ts";
import { UTF8 } from "./encoding.ts";
import { checkRangeStart, respondWithBytes } from "./read-bytes.ts";
import { beginningOf, numberLines, roomInChars } from "./read-page.ts";

/** The name under which a next call finds the artifact: its path below the root, else its id. */
function nameOf(run: ToolRun, artifact: ArtifactLocation): string {
  const { root } = run.environment.spillway;
  return artifact.path.startsWith("s3://") ? artifact.path : (pathBelow(root, artifact.path) ?? artifact.id);
}

/** Lines of a saved output, found through its index. */
export async function readArtifactLines(
  run: ToolRun,
  artifact: ArtifactLocation,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<ToolResponse> {
  const limits = await run.limits();
  const maxLines = Math.min(limit, limits.maxLines);
  const maxBytes = Math.max(1, Math.floor(Math.min(limits.maxBytes, roomInChars(limits))));
  const { store } = run.environment.spillway;
  const answer = await store.readLines(artifact.id, { offsetLine: offset, limit: maxLines, maxBytes });
  const { totalLines, totalBytes } = answer;
  const name = nameOf(run, artifact);
  if (offset > Math.max(1, totalLines)) {
    throw new ToolFailure("INVALID_PARAM", `${name} has ${totalLines} lines; there is no line ${offset}.`, {
      next: `Read ${JSON.stringify({ path: name, offset: Math.max(1, totalLines - limit + 1), limit })} shows its end.`,
    });
  }
  const reachesEnd = answer.endByte >= totalBytes;
  const bytes = Buffer.from(answer.text);
  const page = numberLines(bytes, {
    offsetLine: offset,
    maxLines,
    limits,
    encoding: UTF8,
    reachesEnd: reachesEnd || !answer.lineCut,
  });
  const atEnd = reachesEnd && page.endLine >= totalLines && !page.lineCut;
  const data = { content: page.content, truncated: !atEnd, encoding: UTF8.name };
  const stats = { total_lines: totalLines, total_bytes: totalBytes, start_line: offset, end_line: page.endLine };
  const parts = { path: name, paged: true, stats };
  const text = `Read lines ${offset} to ${page.endLine} of ${totalLines} from the saved output ${name}.`;
  if (atEnd) return run.success({ ...data, truncated: false }, text, parts);
  const nextLine = { path: name, offset: page.endLine + 1 };
  const endByte = answer.startByte + page.usedBytes;
  const inside = { path: name, bytes: `${endByte}-${Math.min(totalBytes, endByte + maxBytes)}` };
  const after = page.endLine < totalLines ? `; Read ${JSON.stringify(nextLine)} after it` : "";
  const why = page.lineCut
    ? {
        because: `line ${offset} is too long to show whole`,
        next: `Read ${JSON.stringify(inside)} goes on inside the line${after}.`,
      }
    : { because: "there are more lines", next: `Read ${JSON.stringify(nextLine)} goes on.` };
  return run.partial({ ...data, truncated: true }, text, why, parts);
}

/** One part of all of a saved output, half of the limit so that it fits as JSON too. */
export async function readArtifactPart(run: ToolRun, artifact: ArtifactLocation, part: number): Promise<ToolResponse> {
  const limits = await run.limits();
  const { store } = run.environment.spillway;
  const { totalBytes } = await store.readLines(artifact.id, { offsetLine: 1, limit: 1, maxBytes: 4 });
  const read = async (startByte: number, endByte: number) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of store.read(artifact.id, { startByte, endByte })) chunks.push(Uint8Array.from(chunk));
    return Buffer.concat(chunks);
  };
  const maxBytes = Math.floor(Math.min(limits.maxBytes, roomInChars(limits)) / 2);
  const { text, parts, startByte, endByte } = await readPart({ size: totalBytes, read }, { part, maxBytes });
  const name = nameOf(run, artifact);
  const stats = { total_bytes: totalBytes, start_byte: startByte, end_byte: endByte, part, parts };
  const more = { path: name, paged: true, stats };
  const data = { content: text, encoding: UTF8.name };
  const told = `Read part ${part} of ${parts}, bytes ${startByte} to ${endByte} of ${totalBytes}, from the saved output ${name}.`;
  const left = parts - part;
  if (left === 0) return run.success({ ...data, truncated: false }, told, more);
  const why = {
    because: `${left} more ${pluralOf(left, "call")} read the rest`,
    next: `Read ${JSON.stringify({ path: name, all: true, part: part + 1 })} goes on.`,
  };
  return run.partial({ ...data, truncated: true }, told, why, more);
}

/** A byte range of a saved output. */
export async function readArtifactBytes(
  run: ToolRun,
  artifact: ArtifactLocation,
  range: ByteRange,
): Promise<ToolResponse> {
  const limits = await run.limits();
  const { store } = run.environment.spillway;
  const { totalBytes } = await store.readLines(artifact.id, { offsetLine: 1, limit: 1, maxBytes: 4 });
  const name = nameOf(run, artifact);
  checkRangeStart(name, range, totalBytes);
  const wantedEnd = Math.min(range.endByte, totalBytes);
  const room = { bytes: limits.maxBytes, chars: roomInChars(limits) };
  const most = Math.min(wantedEnd, range.startByte + Math.min(room.bytes, room.chars * 4) + 4);
  const before = Math.max(0, range.startByte - 3);
  const chunks: Uint8Array[] = [];
  for await (const chunk of store.read(artifact.id, { startByte: before, endByte: most + 3 })) chunks.push(chunk);
  const read = Buffer.concat(chunks);
  const start = floorCodePoint(read, range.startByte - before);
  const bytes = read.subarray(start, floorCodePoint(read, most - before));
  const startByte = before + start;
  const complete = most === wantedEnd;
  const whole = bytes.toString();
  const fits = Buffer.byteLength(whole) <= room.bytes && whole.length <= room.chars;
  const { text, usedBytes } = fits ? { text: whole, usedBytes: bytes.length } : beginningOf(bytes, room, UTF8);
  const endByte = startByte + usedBytes;
  const base = { name, encoding: UTF8.name, startByte, totalBytes };
  // A range that ends inside a character is complete; the character belongs to the next one.
  return respondWithBytes(run, { ...base, text, endByte, wantedEnd: fits && complete ? endByte : wantedEnd });
}
