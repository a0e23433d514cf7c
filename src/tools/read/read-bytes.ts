import { readAt } from "../../artifacts/byte-source.ts";
import type { ByteRange } from "../../artifacts/types.ts";
import { floorCodePoint } from "../../bytes/utf8.ts";
import { ToolFailure } from "../../protocol/builder.ts";
import type { ToolResponse } from "../../protocol/types.ts";
import type { ToolRun } from "../registry/tool-run.ts";
import type { SandboxedHandle } from "../sandbox/sandbox.ts";
import { decodeBytes } from "./encoding.ts";
import { beginningOf, checkPageIsText, openTextSource, roomInChars } from "./read-page.ts";

const UNSIZED_BYTES = 1 << 20;

/** Reads "A-B": from byte A up to, not including, byte B; "A-" up to the end. */
export function parseByteRange(given: string): ByteRange {
  const match = /^\s*(\d+)\s*-\s*(\d*)\s*$/.exec(given);
  const startByte = Number(match?.[1]);
  const endByte = match?.[2] === "" ? Number.MAX_SAFE_INTEGER : Number(match?.[2]);
  if (match !== null && startByte < endByte && Number.isSafeInteger(endByte)) return { startByte, endByte };
  throw new ToolFailure("INVALID_PARAM", `bytes must be "A-B" with A below B, not "${given.slice(0, 100)}".`, {
    next: 'For the first thousand bytes give "0-1000".',
  });
}

/** The bytes read, and how to describe the result. */
export interface BytesAnswer {
  readonly name: string;
  readonly text: string;
  readonly encoding: string;
  readonly startByte: number;
  readonly endByte: number;
  /** The requested end, at most the end of the file. */
  readonly wantedEnd: number;
  readonly totalBytes: number;
}

/** The envelope of a byte range; partial when not all of the range fits. */
export function respondWithBytes(run: ToolRun, answer: BytesAnswer): ToolResponse {
  const { name, startByte, endByte, wantedEnd, totalBytes } = answer;
  const parts = {
    path: name,
    paged: true,
    stats: { total_bytes: totalBytes, start_byte: startByte, end_byte: endByte },
  };
  const data = { content: answer.text, encoding: answer.encoding };
  const text = `Read bytes ${startByte} to ${endByte} of ${totalBytes} from ${name}.`;
  if (endByte >= wantedEnd) return run.success({ ...data, truncated: false }, text, parts);
  const rest = { path: name, bytes: `${endByte}-${wantedEnd}` };
  const why = { because: "the range does not fit into one answer", next: `Read ${JSON.stringify(rest)} goes on.` };
  return run.partial({ ...data, truncated: true }, text, why, parts);
}

/** Fails when a range starts after the end. */
export function checkRangeStart(name: string, range: ByteRange, totalBytes: number): void {
  if (range.startByte < totalBytes || totalBytes === 0) return;
  throw new ToolFailure("INVALID_PARAM", `${name} has ${totalBytes} bytes; there is no byte ${range.startByte}.`, {
    next: `Read ${JSON.stringify({ path: name, bytes: `${Math.max(0, totalBytes - 1000)}-${totalBytes}` })} shows its end.`,
  });
}

/** A byte range of a file; both ends move to the beginning of their character. */
export async function readFileBytes(run: ToolRun, file: SandboxedHandle, range: ByteRange): Promise<ToolResponse> {
  const limits = await run.limits();
  // Files of /proc report no size; their length is found by reading.
  const size = file.stats.size || (await readAt(file.handle, 0, UNSIZED_BYTES)).length;
  checkRangeStart(file.relative, range, size);
  const { encoding, rawPositions } = await openTextSource(file);
  if (!rawPositions) {
    throw new ToolFailure("INVALID_PARAM", `${file.relative} is ${encoding.name}; it cannot be read by bytes.`, {
      next: `Read it by lines: Read ${JSON.stringify({ path: file.relative })}.`,
    });
  }
  const wantedEnd = Math.min(range.endByte, size);
  const room = { bytes: limits.maxBytes, chars: roomInChars(limits) };
  const most = Math.min(wantedEnd - range.startByte, room.bytes, room.chars * 4);
  const before = Math.min(range.startByte, 3);
  const bytes = await readAt(file.handle, range.startByte - before, before + most + 3);
  const start = encoding.name === "utf-8" ? floorCodePoint(bytes, before) : before;
  const startByte = range.startByte - before + start;
  const wanted = bytes.subarray(start, Math.max(start, Math.min(bytes.length, wantedEnd - startByte + start)));
  checkPageIsText(file, wanted);
  const base = { name: file.relative, encoding: encoding.name, startByte, wantedEnd, totalBytes: size };
  const whole = decodeBytes(wanted, encoding);
  if (wanted.length <= most && Buffer.byteLength(whole) <= room.bytes && whole.length <= room.chars) {
    const usedBytes = encoding.name === "utf-8" ? floorCodePoint(bytes, start + wanted.length) - start : wanted.length;
    const text = decodeBytes(wanted.subarray(0, usedBytes), encoding);
    // A range that ends inside a character is complete; the character belongs to the next one.
    const endByte = startByte + usedBytes;
    return respondWithBytes(run, { ...base, text, endByte, wantedEnd: endByte });
  }
  const { text, usedBytes } = beginningOf(wanted, room, encoding);
  return respondWithBytes(run, { ...base, text, endByte: startByte + usedBytes });
}
