import { join } from "node:path";
import { fieldsOf } from "../../../bytes/json/is-object.ts";
import { claudeCode } from "../claude-code.ts";
import {
  filesBelow,
  listOf,
  promptOf,
  stringOf,
  type TranscriptEntry,
  type TranscriptPlace,
  textOf,
  writtenText,
} from "./transcript.ts";

const SAVED = /(?:saved to:?|Full output saved to:?) (\/[^\s"']+?)[.,]?(?:\s|$)/;
const CUT = /\[(\d[\d,]*) characters truncated\]/;

const projects = (): string => join(claudeCode.folder(), "projects");

/** Claude Code: `projects/FOLDER/SESSION.jsonl`, written as the session goes. */
export const claudeTranscripts: TranscriptPlace = {
  host: claudeCode.name,
  files: () => filesBelow(projects(), ".jsonl"),
  current: ({ CLAUDE_CODE_SESSION_ID: id }) =>
    id === undefined ? undefined : filesBelow(projects(), ".jsonl").find((file) => file.endsWith(`/${id}.jsonl`)),
  parse: (line) => {
    if (line.isMeta === true) return [];
    const content = fieldsOf(line.message).content;
    const parts = listOf(content);
    if (line.type === "assistant")
      return [
        ...writtenText(parts.filter(({ type }) => type === "text")),
        ...parts
          .filter(({ type }) => type === "tool_use")
          .map(({ id, name, input }) => ({
            kind: "call" as const,
            id: String(id),
            tool: String(name),
            input: fieldsOf(input),
          })),
      ];
    if (line.type !== "user") return [];
    const results = parts.filter(({ type }) => type === "tool_result");
    if (results.length === 0) return promptOf(content);
    return results.map((part) => resultOf(part, fieldsOf(line.toolUseResult)));
  },
};

function resultOf(part: ReturnType<typeof fieldsOf>, kept: ReturnType<typeof fieldsOf>): TranscriptEntry {
  const text = textOf(part.content);
  const cut = CUT.exec(text)?.[1]?.replaceAll(",", "");
  return {
    kind: "result",
    id: String(part.tool_use_id),
    text,
    failed: part.is_error === true,
    file: stringOf(kept.persistedOutputPath) ?? SAVED.exec(text.slice(0, 2000))?.[1],
    bytes: cut === undefined ? undefined : text.length + Number(cut),
  };
}
