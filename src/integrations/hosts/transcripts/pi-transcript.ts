import { join } from "node:path";
import { fieldsOf } from "../../../bytes/json/is-object.ts";
import { pi } from "../pi.ts";
import { filesBelow, listOf, promptOf, stringOf, type TranscriptPlace, textOf } from "./transcript.ts";

const SAVED = /Full output: ([^\]\n]+)\]/;

/** pi: `agent/sessions/FOLDER/TIME_SESSION.jsonl`; whole outputs lie in the folder for temporary files. */
export const piTranscripts: TranscriptPlace = {
  host: pi.name,
  files: () => filesBelow(join(pi.folder(), "agent", "sessions"), ".jsonl"),
  parse: ({ type, message }) => {
    if (type !== "message") return [];
    const { role, content, toolCallId, details, isError } = fieldsOf(message);
    if (role === "user") return promptOf(content);
    if (role === "assistant")
      return listOf(content)
        .filter((part) => part.type === "toolCall")
        .map((part) => ({
          kind: "call",
          id: String(part.id),
          tool: String(part.name),
          input: fieldsOf(part.arguments),
        }));
    if (role !== "toolResult") return [];
    const text = textOf(content);
    const file = stringOf(fieldsOf(details).fullOutputPath) ?? SAVED.exec(text.slice(-2000))?.[1];
    return [{ kind: "result", id: String(toolCallId), text, failed: isError === true, file }];
  },
};
