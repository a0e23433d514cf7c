import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { checkOptions, kinds } from "../limits/options.ts";

/** Bytes that can be read from any position. */
export interface ByteSource {
  readonly size: number;
  /** The bytes from `startByte` to `endByte`, fewer only at the end of the source. */
  read(startByte: number, endByte: number): Promise<Uint8Array>;
  close(): Promise<void>;
}

export interface FileSourceOptions {
  /** Refuses to open a symbolic link. @default false */
  readonly noFollow?: boolean;
}

/** Throws a readable error if the value is not a source of bytes. */
export const isSource: (value: unknown, name: string) => void = kinds.having(
  "a source of bytes, as openFileSource() and createMemorySource() give",
  "size",
  "read",
);

/** Opens a file for reading; rejects for anything that is not a regular file. */
export async function openFileSource(path: string, options: FileSourceOptions = {}): Promise<ByteSource> {
  kinds.text(path, "The path for openFileSource()");
  checkOptions(options, { noFollow: kinds.flag }, "openFileSource()");
  const noFollow = options.noFollow === true ? (constants.O_NOFOLLOW ?? 0) : 0;
  // O_NONBLOCK: opening a named pipe must not wait for a writer.
  const handle = await open(path, constants.O_RDONLY | noFollow | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Error(`${path} is ${stats.isDirectory() ? "a folder" : "not a regular file"}`);
    return fileSource(handle, stats.size);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function fileSource(handle: FileHandle, size: number): ByteSource {
  return {
    size,
    read: (startByte, endByte) => readAt(handle, startByte, Math.max(0, Math.min(endByte, size) - startByte)),
    close: () => handle.close(),
  };
}

/** Bytes in memory as a source. */
export function createMemorySource(bytes: Uint8Array): ByteSource {
  kinds.bytes(bytes, "The bytes for createMemorySource()");
  return {
    size: bytes.length,
    read: async (startByte, endByte) => bytes.subarray(startByte, Math.max(startByte, endByte)),
    close: async () => {},
  };
}

/** Closes the source after the work with it has ended, successfully or not. */
export async function closing<Opened extends { close(): Promise<unknown> }, T>(
  opened: Opened,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

const SCAN_BYTES = 1024 * 1024;

/** The bytes of a range in chunks of 1 MB; each chunk is the reader's to keep. */
export async function* readChunks(
  source: ByteSource,
  startByte = 0,
  endByte: number = source.size,
): AsyncIterable<Uint8Array> {
  const stop = Math.min(endByte, source.size);
  for (let at = Math.max(0, startByte); at < stop; ) {
    const chunk = await source.read(at, Math.min(stop, at + SCAN_BYTES));
    if (chunk.length === 0) return;
    yield chunk;
    at += chunk.length;
  }
}

/** Up to `length` bytes from a position. */
export async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
