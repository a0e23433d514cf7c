import { join } from "node:path";
import { fieldsOf } from "../../../bytes/json/is-object.ts";
import { parseJson } from "../../../bytes/json/parse-json.ts";
import { codex } from "../codex.ts";
import {
  type Fields,
  filesBelow,
  promptOf,
  stringOf,
  type TranscriptEntry,
  type TranscriptPlace,
  textOf,
  writtenText,
} from "./transcript.ts";

const BYTES_PER_TOKEN = 4;
const sessions = (): string => join(codex.folder(), "sessions");

/** Codex: `sessions/YEAR/MONTH/DAY/rollout-TIME-SESSION.jsonl`, with the first and last 32 KB of each output besides. */
export const codexTranscripts: TranscriptPlace = {
  host: codex.name,
  files: () => filesBelow(sessions(), ".jsonl"),
  current: ({ CODEX_THREAD_ID, CODEX_SESSION_ID }) => {
    const id = CODEX_THREAD_ID || CODEX_SESSION_ID;
    return id === undefined ? undefined : filesBelow(sessions(), ".jsonl").find((file) => file.endsWith(`${id}.jsonl`));
  },
  parse: ({ type, payload }) => {
    const item = fieldsOf(payload);
    if (type === "response_item") return parseItem(item);
    return type === "event_msg" ? parseEvent(item) : [];
  },
};

function parseItem(item: Fields): readonly TranscriptEntry[] {
  const id = String(item.call_id);
  switch (item.type) {
    case "message":
      return item.role === "user" ? promptOf(item.content) : item.role === "assistant" ? writtenText(item.content) : [];
    case "function_call":
    case "custom_tool_call":
      return [{ kind: "call", id, tool: String(item.name), input: parseInput(item.arguments ?? item.input) }];
    case "function_call_output":
    case "custom_tool_call_output": {
      const text = textOf(fieldsOf(item.output).content ?? item.output);
      const code = /^Process exited with code (\d+)/m.exec(text)?.[1];
      const tokens = /^Original token count: (\d+)/m.exec(text)?.[1];
      return [
        {
          kind: "result",
          id,
          text,
          failed: code === undefined ? undefined : code !== "0",
          bytes: tokens === undefined ? undefined : (Number(tokens) - 1) * BYTES_PER_TOKEN,
        },
      ];
    }
    default:
      return [];
  }
}

function parseEvent(event: Fields): readonly TranscriptEntry[] {
  const item = event.type === "exec_command_end" ? event : fieldsOf(event.item);
  const whole = stringOf(item.aggregated_output);
  return whole === undefined ? [] : [{ kind: "output", id: String(item.call_id ?? item.id), whole, partial: true }];
}

/** JSON, or the words of a tool that takes a text. */
function parseInput(value: unknown): Fields {
  if (typeof value !== "string") return fieldsOf(value);
  const parsed = parseJson(value);
  return parsed === undefined ? { input: value } : fieldsOf(parsed);
}
