import { fieldsOf } from "../../../bytes/json/is-object.ts";
import type { QueryContext } from "../../../query/query-context.ts";
import type { Host } from "../host.ts";
import { claudeTranscripts } from "./claude-transcript.ts";
import { codexTranscripts } from "./codex-transcript.ts";
import { copilotTranscripts } from "./copilot-transcript.ts";
import { geminiTranscripts } from "./gemini-transcript.ts";
import { qwenTranscripts } from "./qwen-transcript.ts";
import { readLastJsonLines } from "./read-json-lines.ts";
import { stringOf, type TranscriptPlace } from "./transcript.ts";

/** A prompt that lies further back is seldom what the call is about, and every byte takes time. */
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
