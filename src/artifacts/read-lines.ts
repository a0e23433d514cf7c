import { decode, floorCodePoint } from "../bytes/utf8.ts";
import { invalidArgument } from "../errors.ts";
import { kinds } from "../limits/options.ts";
import { formatPlural } from "../preview/omission.ts";
import { type ByteSource, isSource, readChunks } from "./byte-source.ts";
import { INDEX_STRIDE, type LineIndex, LineIndexBuilder } from "./line-index.ts";
import type { ByteRange, LinesAnswer, LinesRequest } from "./types.ts";

const NEWLINE = 0x0a;
/** The least room for one part: some characters and the end of one. */
const MIN_PART_BYTES = 32;

/** One of the parts in which a whole output is read; each byte is in exactly one part. */
export interface PartAnswer extends ByteRange {
  readonly text: string;
  readonly part: number;
  readonly parts: number;
  readonly totalBytes: number;
}

/** How many parts of at most `maxBytes` an output of this size has. */
export function countParts(size: number, maxBytes: number): number {
  return layOutParts(size, maxBytes).parts;
}

function layOutParts(size: number, maxBytes: number) {
  const room = Math.max(MIN_PART_BYTES, Math.min(maxBytes, 2 * size));
  const back = Math.floor(room / 8);
  const step = room - back;
  return { back, step, parts: Math.max(1, Math.ceil(size / step)) };
}

/**
 * A part, from 1, of at most `maxBytes`. Parts end with a line where one ends near their limit, else between two
 * characters. Part boundaries depend only on the size of the source and on `maxBytes`, so each is found directly.
 */
export async function readPart(
  source: Pick<ByteSource, "size" | "read">,
  { part, maxBytes }: { readonly part: number; readonly maxBytes: number },
): Promise<PartAnswer> {
  const { back, step, parts } = layOutParts(source.size, maxBytes);
  if (part > parts) throw invalidArgument(`There is no part ${part}: it has ${formatPlural(parts, "part")}.`);
  /** At or at most `back` bytes before a multiple of the step. */
  const endOf = async (each: number): Promise<number> => {
    if (each === 0 || each >= parts) return each === 0 ? 0 : source.size;
    const from = each * step - back;
    const bytes = await source.read(from, from + back + MIN_PART_BYTES);
    const newline = bytes.subarray(0, back).lastIndexOf(NEWLINE);
    return from + (newline === -1 ? floorCodePoint(bytes, back) : newline + 1);
  };
  const [startByte, endByte] = await Promise.all([endOf(part - 1), endOf(part)]);
  const text = decode(await source.read(startByte, endByte));
  return { text, part, parts, startByte, endByte, totalBytes: source.size };
}

export const DEFAULT_MAX_BYTES = 51_200;

/** Reads through the whole source once to find its lines, in constant memory. */
export async function scanLineIndex(source: ByteSource): Promise<LineIndex> {
  isSource(source, "The source for scanLineIndex()");
  const builder = new LineIndexBuilder();
  for await (const chunk of readChunks(source)) builder.add(chunk);
  return builder.finish();
}

/** The byte at which a line (from 1) begins; the size of the source for a line after the last. */
export async function findLineStart(source: ByteSource, index: LineIndex, line: number): Promise<number> {
  if (line <= 1) return 0;
  if (line > index.lines) return index.bytes;
  const newline = line - 1;
  const checkpoint = lastCheckpointBefore(index.newlinesBefore, newline);
  const stretch = await source.read(checkpoint * INDEX_STRIDE, (checkpoint + 1) * INDEX_STRIDE);
  const within = nthNewline(stretch, newline - (index.newlinesBefore[checkpoint] as number));
  return within === -1 ? index.bytes : checkpoint * INDEX_STRIDE + within + 1;
}

/**
 * Whole lines from `offsetLine` on, as many as `limit` and `maxBytes` allow. When not even the first fits, it is cut at
 * a code point. A request after the last line gives no text and `endLine` = `startLine` - 1.
 */
export async function readLinesFrom(source: ByteSource, index: LineIndex, request: LinesRequest): Promise<LinesAnswer> {
  isSource(source, "The source for readLinesFrom()");
  kinds.having("what scanLineIndex() gives", "lines", "newlinesBefore")(index, "The index for readLinesFrom()");
  kinds.object(request, "The request for readLinesFrom()");
  const { offsetLine, limit, maxBytes = DEFAULT_MAX_BYTES } = request;
  requirePositive("offsetLine", offsetLine);
  requirePositive("limit", limit);
  requirePositive("maxBytes", maxBytes);
  const startByte = await findLineStart(source, index, offsetLine);
  const available = await source.read(startByte, startByte + maxBytes + 4);
  const whole = takeWholeLines(available, limit, maxBytes, startByte + available.length >= source.size);
  const lineCut = whole.lines === 0 && available.length > 0;
  const length = lineCut ? floorCodePoint(available, Math.min(maxBytes, available.length)) : whole.bytes;
  const kept = available.subarray(0, length === 0 && lineCut ? firstCodePoint(available) : length);
  return {
    text: decode(kept),
    startLine: offsetLine,
    endLine: offsetLine + (lineCut ? 1 : whole.lines) - 1,
    startByte,
    endByte: startByte + kept.length,
    totalLines: index.lines,
    totalBytes: index.bytes,
    lineCut,
  };
}

export interface TextAnswer extends ByteRange {
  readonly text: string;
}

/**
 * The text of a byte range. Both ends move back to the beginning of their code point, so that ranges that
 * follow one another give the whole text.
 */
export async function readTextRange(source: ByteSource, range: ByteRange): Promise<TextAnswer> {
  isSource(source, "The source for readTextRange()");
  kinds.object(range, "The range for readTextRange()");
  kinds.from0(range.startByte, "startByte");
  kinds.from0(range.endByte, "endByte");
  const from = Math.max(0, Math.min(range.startByte, source.size));
  const to = Math.max(from, Math.min(range.endByte, source.size));
  const before = Math.max(0, from - 3);
  const bytes = await source.read(before, to + 3);
  const start = floorCodePoint(bytes, from - before);
  const end = Math.max(start, floorCodePoint(bytes, to - before));
  return { text: decode(bytes.subarray(start, end)), startByte: before + start, endByte: before + end };
}

function takeWholeLines(
  bytes: Uint8Array,
  limit: number,
  maxBytes: number,
  reachesEnd: boolean,
): { lines: number; bytes: number } {
  let lines = 0;
  let taken = 0;
  while (lines < limit && taken < bytes.length) {
    const newline = bytes.indexOf(10, taken);
    const end = newline === -1 ? bytes.length : newline + 1;
    if (end > maxBytes || (newline === -1 && !reachesEnd)) break;
    taken = end;
    lines += 1;
  }
  return { lines, bytes: taken };
}

function firstCodePoint(bytes: Uint8Array): number {
  for (let end = 1; end < Math.min(4, bytes.length); end++) if (floorCodePoint(bytes, end) === end) return end;
  return Math.min(4, bytes.length);
}

function lastCheckpointBefore(newlinesBefore: Float64Array, newline: number): number {
  let low = 0;
  let high = newlinesBefore.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((newlinesBefore[middle] as number) < newline) low = middle;
    else high = middle - 1;
  }
  return low;
}

function nthNewline(bytes: Uint8Array, count: number): number {
  let at = -1;
  for (let seen = 0; seen < count; seen++) {
    at = bytes.indexOf(10, at + 1);
    if (at === -1) return -1;
  }
  return at;
}

function requirePositive(name: string, value: number): void {
  if (Number.isInteger(value) && value > 0) return;
  if (value === Number.POSITIVE_INFINITY) return;
  throw invalidArgument(`${name} must be a whole number from 1, not ${value}`);
}
