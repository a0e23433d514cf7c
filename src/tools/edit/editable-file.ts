import { createHash } from "node:crypto";
import { access, constants } from "node:fs/promises";
import { formatPatch, structuredPatch } from "diff";
import { closing } from "../../artifacts/byte-source.ts";
import { pluralOf } from "../../preview/omission.ts";
import { ToolFailure } from "../../protocol/builder.ts";
import {
  controlShare,
  decodeBytes,
  detectEncoding,
  detectFileType,
  type TextEncoding,
  UTF8,
} from "../read/encoding.ts";
import type { ToolRun } from "../registry/tool-run.ts";
import type { SandboxedPath } from "../sandbox/sandbox.ts";
import { writeAtomic } from "../sandbox/write-atomic.ts";

const turns = new Map<string, Promise<void>>();

/** Serializes changes to one file: each starts from the text that the previous one wrote. */
export async function inTurn<T>(run: ToolRun, path: string, change: () => Promise<T>): Promise<T> {
  const { real } = await run.sandbox.resolve(path);
  const changing = (turns.get(real) ?? Promise.resolve()).then(change);
  const done = changing.then(
    () => undefined,
    () => undefined,
  );
  turns.set(real, done);
  try {
    return await changing;
  } finally {
    if (turns.get(real) === done) turns.delete(real);
  }
}

/** A longer diff is left out; the file itself can be read. */
const DIFF_MAX_LINES = 400;
const DIFF_MAX_CHARS = 16_000;
/** Texts that differ in more lines than this are not compared. */
const MAX_EDIT_LENGTH = 4000;
/** Texts whose comparison would take too long are not compared either. */
const COMPARE_MS = 500;

export interface TextDiff {
  /** Unified diff; undefined when it would be too long. */
  readonly patch: string | undefined;
  readonly added: number;
  readonly removed: number;
}

/** The effect of a change, as a unified diff and in numbers. */
export function diffText(path: string, before: string, after: string): TextDiff {
  const options = { context: 3, maxEditLength: MAX_EDIT_LENGTH, timeout: COMPARE_MS };
  const structured = structuredPatch(path, path, before, after, undefined, undefined, options);
  if (structured === undefined) return { patch: undefined, added: countLines(after), removed: countLines(before) };
  const lines = structured.hunks.flatMap((hunk) => hunk.lines);
  const added = lines.filter((line) => line.startsWith("+")).length;
  const removed = lines.filter((line) => line.startsWith("-")).length;
  const chars = lines.reduce((sum, line) => sum + line.length + 1, 0);
  if (lines.length > DIFF_MAX_LINES || chars > DIFF_MAX_CHARS) return { patch: undefined, added, removed };
  return { patch: formatPatch(structured).replace(/^Index: .*?\n=+\n/s, ""), added, removed };
}

function countLines(text: string): number {
  return text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

/** Bytes of a text in an encoding; undefined when the encoding lacks one of its characters. */
export function encodeText(text: string, encoding: TextEncoding["name"]): Uint8Array | undefined {
  switch (encoding) {
    case "utf-8":
      return Buffer.from(text, "utf8");
    case "utf-16le":
      return Buffer.from(text, "utf16le");
    case "utf-16be":
      return Buffer.from(text, "utf16le").swap16();
    default:
      return encodeByTable(text, tableOf(encoding));
  }
}

const tables = new Map<string, ReadonlyMap<string, number>>();

/** Code of each character, read off the decoder. */
function tableOf(encoding: "gbk" | "windows-1252"): ReadonlyMap<string, number> {
  const known = tables.get(encoding);
  if (known !== undefined) return known;
  const table = new Map<string, number>();
  const decoder = new TextDecoder(encoding);
  const add = (code: number, bytes: readonly number[]) => {
    const character = decoder.decode(Uint8Array.from(bytes));
    if (character.length === 1 && character !== "\ufffd" && !table.has(character)) table.set(character, code);
  };
  for (let byte = 0; byte < 256; byte++) add(byte, [byte]);
  if (encoding === "gbk") {
    for (let lead = 0x81; lead < 0xff; lead++) {
      for (let trail = 0x40; trail < 0xff; trail++) add((lead << 8) | trail, [lead, trail]);
    }
  }
  tables.set(encoding, table);
  return table;
}

function encodeByTable(text: string, table: ReadonlyMap<string, number>): Uint8Array | undefined {
  const bytes = Buffer.alloc(text.length * 2);
  let length = 0;
  for (const character of text) {
    const code = table.get(character);
    if (code === undefined) return undefined;
    if (code > 255) bytes[length++] = code >> 8;
    bytes[length++] = code & 255;
  }
  return bytes.subarray(0, length);
}

/** A larger file is not held in memory to be changed. */
const EDIT_MAX_BYTES = 64 << 20;

/** A file as it is now, ready to be replaced. */
export interface EditableFile {
  readonly target: SandboxedPath;
  readonly bytes: Buffer;
  readonly hash: string;
  readonly encoding: TextEncoding;
  /** Decoded, without byte order mark, with \n for every line ending. */
  readonly text: string;
  readonly lineEnding: "\n" | "\r\n";
  readonly mode: number;
}

/** Loads a file for a change; fails with CONFLICT if it changed since the caller read it. */
export async function loadEditable(
  run: ToolRun,
  given: string,
  expectedHash: string | undefined,
): Promise<EditableFile> {
  const file = await run.sandbox.openFile(given);
  try {
    if (file.stats.size > EDIT_MAX_BYTES) {
      throw new ToolFailure(
        "EXECUTION_ERROR",
        `${file.relative} has ${file.stats.size} bytes, too many to change at once.`,
        {
          next: "Use Bash with sed or a script for a file of this size.",
        },
      );
    }
    const bytes = await file.handle.readFile();
    const hash = hashOf(bytes);
    checkUnchanged(file.relative, hash, expectedHash ?? run.remembered(file.real));
    const encoding = detectEncoding(bytes);
    const binary = detectFileType(bytes) ?? (encoding === undefined || isData(bytes, encoding) ? "data" : undefined);
    if (encoding === undefined || binary !== undefined) {
      throw new ToolFailure(
        "BINARY_FILE",
        `${file.relative} is not text: ${binary}, ${bytes.length} ${pluralOf(bytes.length, "byte")}.`,
        {
          next: "Give the path of a text file; only those can be edited.",
          data: { size: bytes.length, type: binary ?? "data" },
        },
      );
    }
    const decoded = decodeBytes(bytes.subarray(encoding.bomBytes), encoding);
    const { real, relative, stats } = file;
    const lineEnding = prevailingLineEnding(decoded);
    const text = lineEnding === "\r\n" ? decoded.replaceAll("\r\n", "\n") : decoded;
    return { target: { real, relative }, bytes, hash, encoding, text, lineEnding, mode: stats.mode };
  } finally {
    await file.handle.close();
  }
}

/** Writes a text with the file's encoding, line endings and byte order mark; returns the hash of the written bytes. */
export async function replaceContent(run: ToolRun, file: EditableFile, text: string): Promise<string> {
  const bytes = encodeOrFail(file, text);
  await checkWritable(file.target);
  await writeAtomic(run.sandbox, file.target, bytes, {
    mode: file.mode,
    confirm: async () => {
      const { handle } = await run.sandbox.openFile(file.target.relative);
      checkUnchanged(file.target.relative, hashOf(await closing(handle, () => handle.readFile())), file.hash);
    },
  });
  const hash = hashOf(bytes);
  run.remember(file.target.real, hash);
  return hash;
}

/** Creates a file as UTF-8. */
export async function createFile(run: ToolRun, target: SandboxedPath, text: string): Promise<string> {
  const bytes = Buffer.from(text);
  await writeAtomic(run.sandbox, target, bytes);
  const hash = hashOf(bytes);
  run.remember(target.real, hash);
  return hash;
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Fails for a file whose bytes do not survive decoding: writing its text would change more than requested. */
export function requireExact(file: EditableFile): void {
  if (encodeLike(file, file.text)?.equals(file.bytes) === true) return;
  const { relative } = file.target;
  const { name } = file.encoding;
  throw new ToolFailure("BINARY_FILE", `${relative} holds bytes that are no valid ${name}; nothing was changed.`, {
    next: "Use Bash with sed or a script, which leaves the other bytes as they are.",
    data: { applied: false, size: file.bytes.length, type: "data" },
  });
}

/** A text in a file's own encoding, line endings and byte order mark; undefined when the encoding lacks a character. */
function encodeLike(file: EditableFile, text: string): Buffer | undefined {
  const ended = file.lineEnding === "\r\n" ? text.replace(/\r?\n/g, "\r\n") : text;
  const encoded = encodeText(ended, file.encoding.name);
  return encoded && Buffer.concat([file.bytes.subarray(0, file.encoding.bomBytes), encoded]);
}

function encodeOrFail(file: EditableFile, text: string): Buffer {
  const encoded = encodeLike(file, text);
  if (encoded !== undefined) return encoded;
  throw new ToolFailure(
    "INVALID_PARAM",
    `${file.target.relative} is ${file.encoding.name}, which lacks a character of the new text.`,
    {
      next: `Use characters that ${file.encoding.name} has, or convert the file to ${UTF8.name} first, with iconv.`,
    },
  );
}

function checkUnchanged(relative: string, now: string, expected: string | undefined): void {
  if (expected === undefined || now === expected) return;
  throw new ToolFailure("CONFLICT", `${relative} changed on disk since it was read; nothing was written.`, {
    next: `Look at it again with Read ${JSON.stringify({ path: relative })}, then repeat the change.`,
    data: { applied: false, hash: now },
  });
}

/** The directory's permissions decide whether a file can be replaced; the file's own mode is respected too. */
async function checkWritable(target: SandboxedPath): Promise<void> {
  await access(target.real, constants.W_OK).catch((cause) => {
    throw new ToolFailure("PERMISSION_DENIED", `${target.relative} may not be written by this user.`, {
      next: "Change its permissions first, or write to another file.",
      cause,
    });
  });
}

function isData(bytes: Buffer, { name }: TextEncoding): boolean {
  const sample = bytes.subarray(0, 65_536);
  return !name.startsWith("utf-16") && (sample.includes(0) || controlShare(sample) > 0.1);
}

function prevailingLineEnding(text: string): "\n" | "\r\n" {
  const crlf = text.split("\r\n").length - 1;
  const all = text.split("\n").length - 1;
  return crlf > 0 && crlf === all ? "\r\n" : "\n";
}
