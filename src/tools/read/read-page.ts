import type { FileHandle } from "node:fs/promises";
import { readAt } from "../../artifacts/byte-source.ts";
import { floorCodePoint } from "../../bytes/utf8.ts";
import type { Limits } from "../../limits/types.ts";
import { ToolFailure } from "../../protocol/builder.ts";
import type { SandboxedHandle } from "../sandbox/sandbox.ts";
import { controlShare, decodeBytes, detectEncoding, detectFileType, type TextEncoding, UTF8 } from "./encoding.ts";

const CHUNK_BYTES = 1 << 20;
const SAMPLE_BYTES = 65_536;
const SNIFF_BYTES = 300;
/** More zero bytes than this are not text with a stray one. */
const MAX_NUL_SHARE = 0.01;

/** The beginning of a file, and what it reveals about the whole. */
export interface TextSource {
  /** The encoding of the file. */
  readonly encoding: TextEncoding;
  /** The encoding of the bytes in `chunks`. */
  readonly chunkEncoding: TextEncoding;
  /** The text as UTF-8 for a wide encoding, the file's own bytes otherwise; `onRaw` sees the file's own in any case. */
  chunks(onRaw?: (bytes: Uint8Array) => void): AsyncIterable<Uint8Array>;
  /** True when positions in `chunks` are positions in the file. */
  readonly rawPositions: boolean;
}

/** Looks at a file's beginning; fails with BINARY_FILE when it has the signature of a binary format or no encoding fits. */
export async function openTextSource(file: SandboxedHandle): Promise<TextSource> {
  const head = await readAt(file.handle, 0, SAMPLE_BYTES);
  const type = detectFileType(head.subarray(0, SNIFF_BYTES));
  if (type !== undefined) throw binaryFile(file, type);
  // A short text in front of a hole is text; whether a page is, its own bytes say.
  const firstNul = head.indexOf(0);
  const wide = detectEncoding(head);
  const isWide = wide?.name.startsWith("utf-16") ?? false;
  const encoding = isWide || firstNul === -1 ? wide : detectEncoding(head.subarray(0, firstNul));
  if (encoding === undefined || (firstNul === 0 && !isWide)) throw binaryFile(file, "data");
  const { handle } = file;
  if (!isWide) {
    return { encoding, chunkEncoding: encoding, chunks: (onRaw) => readChunks(handle, onRaw), rawPositions: true };
  }
  const chunks: TextSource["chunks"] = (onRaw) => transcode(readChunks(handle, onRaw), encoding);
  return { encoding, chunkEncoding: UTF8, chunks, rawPositions: false };
}

/** Fails with BINARY_FILE when the bytes of a page are not text. */
export function checkPageIsText(file: SandboxedHandle, page: Uint8Array): void {
  let nuls = 0;
  for (let at = page.indexOf(0); at !== -1; at = page.indexOf(0, at + 1)) nuls++;
  if (nuls > page.length * MAX_NUL_SHARE || controlShare(page) > 0.1) throw binaryFile(file, "data");
}

async function* readChunks(handle: FileHandle, onRaw?: (bytes: Uint8Array) => void): AsyncIterable<Buffer> {
  for (let at = 0; ; ) {
    const chunk = await readAt(handle, at, CHUNK_BYTES);
    if (chunk.length === 0) return;
    onRaw?.(chunk);
    yield chunk;
    at += chunk.length;
  }
}

async function* transcode(chunks: AsyncIterable<Buffer>, encoding: TextEncoding): AsyncIterable<Buffer> {
  const decoder = new TextDecoder(encoding.name);
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}

function binaryFile(file: SandboxedHandle, type: string): ToolFailure {
  const size = file.stats.size;
  return new ToolFailure("BINARY_FILE", `${file.relative} is not text: ${type}, ${size} bytes.`, {
    next: "Give the path of a text file. Bash can run a program for this type of file.",
    data: { size, type },
  });
}

const NUMBER_WIDTH = 6;

export interface PageOptions {
  readonly offsetLine: number;
  readonly maxLines: number;
  readonly limits: Limits;
  readonly encoding: TextEncoding;
  /** True when the bytes reach the end of the file. */
  readonly reachesEnd: boolean;
}

/** Numbered lines that keep within the limits. */
export interface Page {
  readonly content: string;
  /** Last line that is at least partly in `content`; the one before the first if there is none. */
  readonly endLine: number;
  /** Bytes of the input that `content` shows. */
  readonly usedBytes: number;
  /** True if the last line continues after `usedBytes`. */
  readonly lineCut: boolean;
  /** The line endings of the shown lines, unless all are a single newline. */
  readonly lineEnding: "crlf" | "mixed" | undefined;
}

/** Numbers as many whole lines as the limits allow; when not even the first fits, the beginning of it. */
export function numberLines(bytes: Buffer, options: PageOptions): Page {
  const { offsetLine, maxLines, limits, encoding, reachesEnd } = options;
  const shown: string[] = [];
  let used = 0;
  let room = { bytes: limits.maxBytes, chars: roomInChars(limits) };
  let ended = 0;
  let crlf = 0;
  while (shown.length < maxLines && used < bytes.length) {
    const newline = bytes.indexOf(10, used);
    if (newline === -1 && !reachesEnd) break;
    const next = newline === -1 ? bytes.length : newline + 1;
    const raw = bytes.subarray(used, newline === -1 ? next : newline);
    const isCrlf = raw.at(-1) === 13;
    const skipped = used === 0 && offsetLine === 1 ? encoding.bomBytes : 0;
    const text = decodeBytes(raw.subarray(skipped, isCrlf ? -1 : undefined), encoding);
    const line = `${String(offsetLine + shown.length).padStart(NUMBER_WIDTH)}\t${text}`;
    const left = { bytes: room.bytes - Buffer.byteLength(line) - 1, chars: room.chars - line.length - 1 };
    if (left.bytes < -1 || left.chars < -1) break;
    shown.push(line);
    if (newline !== -1) ended++;
    if (newline !== -1 && isCrlf) crlf++;
    used = next;
    room = left;
  }
  const endLine = offsetLine + shown.length - 1;
  const lineEnding = crlf === 0 ? undefined : crlf === ended ? "crlf" : "mixed";
  if (shown.length > 0 || bytes.length === 0) {
    return { content: shown.join("\n"), endLine, usedBytes: used, lineCut: false, lineEnding };
  }
  const { text, usedBytes } = beginningOf(bytes, room, encoding);
  const content = `${String(offsetLine).padStart(NUMBER_WIDTH)}\t${text}`;
  return { content, endLine: offsetLine, usedBytes, lineCut: true, lineEnding: undefined };
}

/** As much of the bytes' beginning as fits, cut between characters. */
export function beginningOf(
  bytes: Buffer,
  room: { readonly bytes: number; readonly chars: number },
  encoding: TextEncoding,
): { text: string; usedBytes: number } {
  const most = Math.max(4, Math.min(room.bytes, room.chars) - NUMBER_WIDTH - 1);
  const growth = encoding.name === "gbk" || encoding.name === "windows-1252" ? 3 : 1;
  const wanted = Math.min(bytes.length, Math.floor(most / growth));
  const usedBytes = encoding.name === "gbk" ? floorPair(bytes, wanted) : floorCodePoint(bytes, wanted);
  return { text: decodeBytes(bytes.subarray(0, usedBytes), encoding), usedBytes };
}

/** Room in characters, at three per token. */
export function roomInChars(limits: Limits): number {
  return Math.min(limits.maxChars, limits.maxTokens * 3);
}

function floorPair(bytes: Uint8Array, end: number): number {
  let at = 0;
  while (at < end) {
    const width = (bytes[at] as number) < 0x80 ? 1 : 2;
    if (at + width > end) break;
    at += width;
  }
  return at;
}
