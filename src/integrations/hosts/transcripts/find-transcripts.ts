import { fieldsOf } from "../../../bytes/json/is-object.ts";
import { claudeTranscripts } from "./claude-transcript.ts";
import { codexTranscripts } from "./codex-transcript.ts";
import { copilotTranscripts } from "./copilot-transcript.ts";
import { geminiTranscripts } from "./gemini-transcript.ts";
import { opencodeTranscripts } from "./opencode-transcript.ts";
import { piTranscripts } from "./pi-transcript.ts";
import { qwenTranscripts } from "./qwen-transcript.ts";
import { readJsonLines } from "./read-json-lines.ts";
import { type PastCall, pairCalls, type TranscriptEntry, type TranscriptPlace } from "./transcript.ts";

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
