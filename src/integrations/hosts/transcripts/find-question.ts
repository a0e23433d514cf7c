import { fieldsOf } from "../../../bytes/json/is-object.ts";
import type { Host } from "../host.ts";
import { claudeTranscripts } from "./claude-transcript.ts";
import { codexTranscripts } from "./codex-transcript.ts";
import { geminiTranscripts } from "./gemini-transcript.ts";
import { qwenTranscripts } from "./qwen-transcript.ts";
import { readLastJsonLines } from "./read-json-lines.ts";
import { stringOf } from "./transcript.ts";

/** Longer questions are whole documents, which nothing could be ranked by. */
export const MOST_QUESTION_CHARS = 500;
/** A prompt that lies further back is seldom what the call is about, and every byte takes time. */
const LOOK_BACK_BYTES = 512 * 1024;

const PLACES = [claudeTranscripts, codexTranscripts, geminiTranscripts, qwenTranscripts];

/**
 * What the user asked for, and what the call says that it is for, from the session's own transcript; undefined where the
 * host keeps none, or on any trouble. `file` is the transcript where the host names it.
 */
export async function findQuestion(host: Host, cwd: string, file?: string): Promise<string | undefined> {
  try {
    const place = PLACES.find((one) => one.host === host.name);
    const transcript = file ?? place?.current?.(process.env, cwd);
    if (place === undefined || transcript === undefined) return undefined;
    const entries = (await readLastJsonLines(transcript, LOOK_BACK_BYTES)).flatMap((value) =>
      place.parse(fieldsOf(value)),
    );
    const prompt = entries.findLast((entry) => entry.kind === "prompt")?.text;
    const answered = new Set(entries.flatMap((entry) => (entry.kind === "result" ? [entry.id] : [])));
    const open = entries.filter((entry) => entry.kind === "call").filter(({ id }) => !answered.has(id));
    // Of several that run at once nobody says which one this is.
    const description = open.length === 1 ? stringOf(open[0]?.input.description) : undefined;
    return joinQuestion(description, prompt);
  } catch {
    return undefined;
  }
}

/** One question of several; those that are too long, or nothing, are left out. */
export function joinQuestion(...parts: readonly (string | undefined)[]): string | undefined {
  const said = parts
    .map((part) => part?.trim() ?? "")
    .filter((part) => part !== "" && part.length <= MOST_QUESTION_CHARS);
  return said.length === 0 ? undefined : [...new Set(said)].join("\n");
}
