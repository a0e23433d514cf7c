import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fieldsOf } from "../../../bytes/json/is-object.ts";
import { gemini, geminiProject } from "../gemini.ts";
import {
  filesBelow,
  listOf,
  newestOf,
  promptOf,
  readJsonLines,
  stringOf,
  type TranscriptEntry,
  type TranscriptPlace,
  writtenText,
} from "./transcript.ts";

const SAVED = /For full output see: (\/\S+)/;

/** Gemini CLI: `tmp/PROJECT/chats/session-….jsonl`, one JSON value in older versions; a call is written when it ends. */
export const geminiTranscripts: TranscriptPlace = {
  host: gemini.name,
  files: () => chatsBelow(join(gemini.folder(), "tmp")),
  // It does not tell a command its session, so this is the last one written in the project.
  current: (_, cwd) => {
    const project = geminiProject(cwd);
    return project === undefined ? undefined : newestOf(chatsBelow(project));
  },
  read: async function* (file) {
    if (file.endsWith(".jsonl")) yield* readJsonLines(file);
    else yield* listOf(fieldsOf(JSON.parse(readFileSync(file, "utf8"))).messages);
  },
  parse: (message) => {
    if (message.type === "user") return promptOf(message.content);
    return [...writtenText(message.content), ...listOf(message.toolCalls).flatMap((call) => parseCall(call))];
  },
};

function parseCall(call: ReturnType<typeof fieldsOf>): readonly TranscriptEntry[] {
  const id = String(call.id);
  const parts = listOf(call.result).map(({ functionResponse }) => fieldsOf(fieldsOf(functionResponse).response));
  const text = parts.map(({ output, error }) => stringOf(output) ?? stringOf(error) ?? "").join("");
  const file = SAVED.exec(text.slice(0, 2000))?.[1];
  return [
    { kind: "call", id, tool: String(call.name), input: fieldsOf(call.args) },
    {
      kind: "result",
      id,
      text,
      failed: call.status === "error" || /^Exit Code: [1-9]/m.test(text),
      file,
      whole: file === undefined ? undefined : stringOf(call.resultDisplay),
    },
  ];
}

function chatsBelow(folder: string): string[] {
  return filesBelow(folder, ".json", ".jsonl").filter((file) => /\/chats\/session-[^/]+$/.test(file));
}
