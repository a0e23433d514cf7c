import { createReadStream, readdirSync, statSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fieldsOf } from "../../../bytes/json/is-object.ts";
import { parseJson } from "../../../bytes/json/parse-json.ts";
import { definedOnly } from "../../../limits/options.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** One event of a host's transcript. */
export type TranscriptEntry =
  | { readonly kind: "prompt"; readonly text: string }
  /** What the model wrote. */
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call"; readonly id: string; readonly tool: string; readonly input: Fields }
  | ({ readonly kind: "result"; readonly id: string; readonly text: string } & KeptOutput & Ending)
  | ({ readonly kind: "output"; readonly id: string } & KeptOutput);

interface Ending {
  readonly failed?: boolean | undefined;
}

/** What the host kept of an output, besides the text for its model. */
export interface KeptOutput {
  /** Holds all of it, unless it was removed. */
  readonly file?: string | undefined;
  /** All of it, or its beginning and end if `partial`. */
  readonly whole?: string | undefined;
  readonly partial?: boolean | undefined;
  /** A lower bound of its size, if the host tells only that. */
  readonly bytes?: number | undefined;
}

/** Where a host keeps the transcripts of past sessions, and how it writes them. */
export interface TranscriptPlace {
  readonly host: string;
  /** The files of all sessions; none when there are none. */
  readonly files: () => readonly string[];
  /** Everything in a file, in order. @default one JSON value a line */
  readonly read?: (file: string) => AsyncIterable<unknown>;
  readonly parse: (value: Fields) => readonly TranscriptEntry[];
  /** The file of a session, where hooks name only its id. */
  readonly session?: (id: string) => string;
  /** The file of the session that a command below the host's shell belongs to. */
  readonly current?: (env: Readonly<Record<string, string | undefined>>, cwd: string) => string | undefined;
}

/** One call of a tool in a past session. */
export interface PastCall extends KeptOutput, Ending {
  readonly tool: string;
  readonly input: Fields;
  /** What the model was sent. */
  readonly shown: string;
}

/** The calls of a session that were answered, in order. */
export async function* pairCalls(entries: AsyncIterable<TranscriptEntry>): AsyncIterable<PastCall> {
  const open = new Map<string, { tool: string; input: Fields; kept: KeptOutput }>();
  for await (const entry of entries) {
    if (entry.kind === "call") open.set(entry.id, { tool: entry.tool, input: entry.input, kept: {} });
    else if (entry.kind !== "prompt" && entry.kind !== "text") {
      const call = open.get(entry.id);
      if (call === undefined) continue;
      const { kind: _, id: __, ...rest } = entry;
      call.kept = { ...call.kept, ...definedOnly(rest) };
      if (entry.kind !== "result") continue;
      open.delete(entry.id);
      yield { tool: call.tool, input: call.input, ...call.kept, failed: entry.failed, shown: entry.text };
    }
  }
}

export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A text, or the texts of a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .map(({ text }) => stringOf(text) ?? "")
    .join("");
}

/** What the model wrote, if anything. */
export function writtenText(content: unknown): readonly TranscriptEntry[] {
  const text = textOf(content).trim();
  return text === "" ? [] : [{ kind: "text", text }];
}

/** The user's text; text that the host added in the user's name is in tags. */
export function promptOf(content: unknown): readonly TranscriptEntry[] {
  const text = textOf(content).trim();
  return text === "" || text.startsWith("<") ? [] : [{ kind: "prompt", text }];
}

/** Files below a folder with one of these endings; none where the folder cannot be read. */
export function filesBelow(folder: string, ...endings: readonly string[]): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => endings.some((ending) => name.endsWith(ending)))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

/** The file that was written last. */
export function newestOf(files: readonly string[]): string | undefined {
  const times = new Map(files.map((file) => [file, statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0]));
  return files.toSorted((a, b) => (times.get(b) ?? 0) - (times.get(a) ?? 0))[0];
}

/** The values of a file with one JSON value a line. Invalid lines, such as one half written, are skipped. */
export async function* readJsonLines(file: string): AsyncIterable<unknown> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) yield* parseLine(line);
}

/** The same for the last `bytes`, without the incomplete first line. */
export async function readLastJsonLines(file: string, bytes: number): Promise<readonly unknown[]> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const from = Math.max(0, size - bytes);
    const buffer = Buffer.alloc(size - from);
    await handle.read(buffer, 0, buffer.length, from);
    const lines = buffer.toString().split("\n");
    return (from === 0 ? lines : lines.slice(1)).flatMap(parseLine);
  } finally {
    await handle.close();
  }
}

function parseLine(line: string): unknown[] {
  const value = parseJson(line);
  return value === undefined ? [] : [value];
}
