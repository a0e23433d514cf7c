import { decode } from "../../bytes/utf8.ts";
import { cleanLine, cleanLines, needsCleaning } from "../../preview/clean.ts";
import { detectShape } from "../../preview/smart/detect-shape.ts";
import { type ByteSource, readChunks } from "../byte-source.ts";
import { DocumentTables } from "./json-rows.ts";
import { JsonStream } from "./json-stream.ts";
import { findLineReader } from "./line-rows.ts";
import type { TableSink } from "./table-writer.ts";

/** The beginning that decides the form of an output, and the end, where test runners sum up. */
const SAMPLE_BYTES = 64 * 1024;
const LONG_SAMPLE_BYTES = 4 * 1024 * 1024;
const TAIL_BYTES = 16 * 1024;
const NEWLINE = 10;
/** A JSON document up to this size is parsed whole, which finds maps of records too. */
const WHOLE_DOCUMENT_BYTES = 16 * 1024 * 1024;
const MOST_LINE_CHARS = 16 * 1024 * 1024;

/** What the rows of an output are, in words; undefined if it has none. */
export type RowKind = string | undefined;

/** Reports progress while a large output is read. */
export type Progress = (readBytes: number, totalBytes: number) => void;

/** Reads the rows of an output into tables. */
export async function loadRows(source: ByteSource, sink: TableSink, progress?: Progress): Promise<RowKind> {
  const short = await source.read(0, SAMPLE_BYTES);
  // Of very long lines more is needed to see two of them.
  const head = short.includes(NEWLINE) ? short : await source.read(0, LONG_SAMPLE_BYTES);
  const isCut = source.size > head.length;
  const shape = detectShape(head);
  if (shape === "json" && (await loadDocument(source, sink, head, progress))) return "JSON";
  const sample = linesOf(head, false, isCut);
  const tail = isCut
    ? linesOf(await source.read(Math.max(head.length, source.size - TAIL_BYTES), source.size), true, false)
    : [];
  const reader =
    findLineReader(sample, sink, shape) ??
    (tail.length > 0 ? findLineReader([...sample, ...tail], sink, shape) : undefined);
  if (reader === undefined) return undefined;
  await eachLine(source, (text) => reader.line(text), progress);
  reader.end?.();
  return reader.kind;
}

/** Reads every line of an output into `lines(n, text)`. */
export function loadLines(source: ByteSource, add: (text: string) => void, progress?: Progress): Promise<void> {
  return eachLine(source, add, progress);
}

function linesOf(bytes: Uint8Array, dropFirst: boolean, dropLast: boolean): string[] {
  const lines = cleanLines(decode(bytes).replace(/^\ufeff/, ""));
  return lines.slice(dropFirst ? 1 : 0, dropLast ? -1 : undefined);
}

/** False if the output is no single document after all, such as JSON lines. */
async function loadDocument(
  source: ByteSource,
  sink: TableSink,
  head: Uint8Array,
  progress?: Progress,
): Promise<boolean> {
  const tables = new DocumentTables(sink);
  if (source.size <= WHOLE_DOCUMENT_BYTES) {
    const text = decode(await source.read(0, source.size)).replace(/^\ufeff/, "");
    const start = text.search(/^[ \t]*[[{]/m);
    const value = parse(start > 0 ? text.slice(start) : text);
    if (value !== undefined) {
      tables.visit(value);
      tables.end();
      return true;
    }
  }
  if (isJsonLines(head)) return false;
  const stream = new JsonStream(({ path, inList, value }) =>
    inList ? tables.item(path, value) : tables.fact(path, value),
  );
  let readBytes = 0;
  for await (const chunk of readChunks(source)) {
    stream.write(chunk);
    readBytes += chunk.length;
    progress?.(readBytes, source.size);
  }
  tables.end();
  return true;
}

function isJsonLines(head: Uint8Array): boolean {
  const lines = decode(head).split("\n");
  const start = lines.findIndex((line) => /^\s*[[{]/.test(line));
  const [first = "", second = ""] = lines.slice(start);
  return parse(first) !== undefined && (second.trim() === "" || /^\s*[[{]/.test(second));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function eachLine(source: ByteSource, take: (text: string) => void, progress?: Progress): Promise<void> {
  const decoder = new TextDecoder("utf-8");
  let pending = "";
  let readBytes = 0;
  for await (const chunk of readChunks(source)) {
    const text = pending + decoder.decode(chunk, { stream: true });
    let from = 0;
    for (let newline = text.indexOf("\n"); newline >= 0; newline = text.indexOf("\n", from)) {
      take(shownLine(text.slice(from, newline)));
      from = newline + 1;
    }
    pending = text.slice(from);
    if (pending.length > MOST_LINE_CHARS) {
      take(shownLine(pending));
      pending = "";
    }
    readBytes += chunk.length;
    progress?.(readBytes, source.size);
  }
  if (pending !== "") take(shownLine(pending));
}

/** A line as a terminal shows it: without colours, and its last state if it was rewritten. */
function shownLine(text: string): string {
  const line = text.endsWith("\r") ? text.slice(0, -1) : text;
  return needsCleaning(line) ? cleanLine(line) : line;
}
