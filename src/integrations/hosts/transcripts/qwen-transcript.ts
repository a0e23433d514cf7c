import { join } from "node:path";
import { fieldsOf } from "../../../bytes/json/is-object.ts";
import { qwen } from "../qwen.ts";
import {
  filesBelow,
  listOf,
  newestOf,
  promptOf,
  stringOf,
  type TranscriptEntry,
  type TranscriptPlace,
  writtenText,
} from "./transcript.ts";

const SAVED = /saved to: (\/\S+)/;
const projects = (): string => join(qwen.folder(), "projects");

/** Qwen Code: `projects/FOLDER/chats/SESSION.jsonl`; a long output lies whole in a file that the result names. */
export const qwenTranscripts: TranscriptPlace = {
  host: qwen.name,
  files: () => filesBelow(projects(), ".jsonl"),
  // It does not tell a command its session, so this is the last one written in the folder.
  current: (_, cwd) => newestOf(filesBelow(join(projects(), cwd.replaceAll(/[^A-Za-z0-9]/g, "-")), ".jsonl")),
  parse: (line) => {
    const { parts } = fieldsOf(line.message);
    if (line.type === "user") return promptOf(parts);
    return listOf(parts).flatMap((part): readonly TranscriptEntry[] => {
      if (line.type === "assistant" && part.thought !== true && stringOf(part.text) !== undefined)
        return writtenText(part.text);
      const { id, name, args, response } = { ...fieldsOf(part.functionCall), ...fieldsOf(part.functionResponse) };
      if (part.functionCall !== undefined)
        return [{ kind: "call", id: String(id), tool: String(name), input: fieldsOf(args) }];
      if (part.functionResponse === undefined) return [];
      const { output, error } = fieldsOf(response);
      const text = stringOf(output) ?? stringOf(error) ?? "";
      const file = SAVED.exec(text.slice(0, 2000))?.[1];
      const failed = error !== undefined || /^Exit Code: [1-9]/m.test(text);
      return [{ kind: "result", id: String(id), text, failed, file }];
    });
  },
};
