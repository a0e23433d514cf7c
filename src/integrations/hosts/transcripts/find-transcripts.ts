import { statSync } from "node:fs";
import { fieldsOf } from "../../../bytes/json/is-object.ts";
import type { TruncationRecord } from "../../../gate/records.ts";
import type { QueryContext } from "../../../query/query-context.ts";
import type { Host } from "../host.ts";
import { claudeTranscripts } from "./claude-transcript.ts";
import { codexTranscripts } from "./codex-transcript.ts";
import { copilotTranscripts } from "./copilot-transcript.ts";
import { geminiTranscripts } from "./gemini-transcript.ts";
import { opencodeTranscripts } from "./opencode-transcript.ts";
import { piTranscripts } from "./pi-transcript.ts";
import { qwenTranscripts } from "./qwen-transcript.ts";
import {
  type PastCall,
  pairCalls,
  readJsonLines,
  readLastJsonLines,
  stringOf,
  type TranscriptEntry,
  type TranscriptPlace,
} from "./transcript.ts";

/** Every host whose transcripts can be read. */
export const TRANSCRIPTS: readonly TranscriptPlace[] = [
  claudeTranscripts,
  codexTranscripts,
  opencodeTranscripts,
  geminiTranscripts,
  qwenTranscripts,
  piTranscripts,
  copilotTranscripts,
];

/** The calls of one session, or of all that a file holds. */
export function readCalls(place: TranscriptPlace, file: string): AsyncIterable<PastCall> {
  return pairCalls(entriesOf(place, file));
}

async function* entriesOf(
  { read = readJsonLines, parse }: TranscriptPlace,
  file: string,
): AsyncIterable<TranscriptEntry> {
  for await (const value of read(file)) yield* parse(fieldsOf(value));
}

/** A prompt further back is seldom about this call, and reading takes time. */
const LOOK_BACK_BYTES = 512 * 1024;

const PLACES: readonly TranscriptPlace[] = [
  claudeTranscripts,
  codexTranscripts,
  geminiTranscripts,
  qwenTranscripts,
  copilotTranscripts,
];

/**
 * The user's prompt, the call and what the model wrote before it, from the session's own transcript; undefined where the
 * host keeps none, or on any error. `file` is the transcript, and `session` its id, where the host names them.
 */
export async function findContext(
  host: Host,
  cwd: string,
  { file, session }: { readonly file?: string | undefined; readonly session?: string | undefined } = {},
): Promise<QueryContext | undefined> {
  try {
    const place = PLACES.find((one) => one.host === host.name);
    const ofSession = session === undefined ? undefined : place?.session?.(session);
    const transcript = file ?? ofSession ?? place?.current?.(process.env, cwd);
    if (place === undefined || transcript === undefined) return undefined;
    const entries = (await readLastJsonLines(transcript, LOOK_BACK_BYTES)).flatMap((value) =>
      place.parse(fieldsOf(value)),
    );
    const prompt = entries.findLastIndex((entry) => entry.kind === "prompt");
    const task = entries[prompt]?.kind === "prompt" ? entries[prompt].text : undefined;
    const answered = new Set(entries.flatMap((entry) => (entry.kind === "result" ? [entry.id] : [])));
    const open = entries.filter((entry) => entry.kind === "call").filter(({ id }) => !answered.has(id));
    const written = entries.slice(prompt + 1).findLast((entry) => entry.kind === "text")?.text;
    // If several calls run at once, it is unknown which one this is.
    const { description, command, cmd } = open.length === 1 ? (open[0]?.input ?? {}) : {};
    return { task, assistantText: joinTexts(description, written), command: stringOf(command ?? cmd) };
  } catch {
    return undefined;
  }
}

/** The texts among these values, each once; undefined if there is none. */
export function joinTexts(...parts: readonly unknown[]): string | undefined {
  const texts = parts.map((part) => (typeof part === "string" ? part.trim() : "")).filter((part) => part !== "");
  return texts.length === 0 ? undefined : [...new Set(texts)].join("\n");
}

/**
 * How many bytes of each saved output the model read back, by calls of any tool that name it; undefined if no transcript
 * can be read.
 */
export async function countRereads(
  { name }: Host,
  records: readonly TruncationRecord[],
): Promise<ReadonlyMap<TruncationRecord, number> | undefined> {
  const place = TRANSCRIPTS.find(({ host }) => host === name);
  const saved = records.flatMap((record) => (record.id === undefined ? [] : [{ record, id: record.id }]));
  const first = Math.min(...records.map(({ at }) => Date.parse(at)));
  const files =
    place?.files().filter((file) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= first) ?? [];
  if (place === undefined || files.length === 0) return undefined;
  const sums = new Map<TruncationRecord, number>();
  for (const file of files) {
    try {
      for await (const { input, shown } of readCalls(place, file)) {
        const asked = JSON.stringify(input);
        for (const { record, id } of saved)
          if (asked.includes(id)) sums.set(record, (sums.get(record) ?? 0) + Buffer.byteLength(shown));
      }
    } catch {
      return undefined;
    }
  }
  return sums;
}
