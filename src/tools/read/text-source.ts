import type { FileHandle } from "node:fs/promises";
import { readAt } from "../../artifacts/byte-source.ts";
import { ToolFailure } from "../../protocol/tool-failure.ts";
import type { SandboxedHandle } from "../sandbox/sandbox.ts";
import { controlShare, detectEncoding, type TextEncoding, UTF8 } from "./encoding.ts";
import { detectFileType } from "./file-type.ts";

const CHUNK_BYTES = 1 << 20;
const SAMPLE_BYTES = 65_536;
const SNIFF_BYTES = 300;
/** More zero bytes than this are not text with a stray one. */
const MAX_NUL_SHARE = 0.01;

/** The beginning of a file and what it says about the rest. */
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
