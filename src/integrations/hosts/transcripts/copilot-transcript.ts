import { join } from "node:path";
import { fieldsOf } from "../../../bytes/json/is-object.ts";
import { copilot } from "../copilot.ts";
import { filesBelow, listOf, promptOf, stringOf, type TranscriptPlace, writtenText } from "./transcript.ts";

const SAVED = /^Output too large to read at once \(([\d.]+) (KB|MB|GB)\)/;
const UNITS: Readonly<Record<string, number>> = { KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 };
const sessions = (): string => join(copilot.folder(), "session-state");

/** GitHub Copilot CLI: `session-state/SESSION/events.jsonl`. */
export const copilotTranscripts: TranscriptPlace = {
  host: copilot.name,
  files: () => filesBelow(sessions(), ".jsonl"),
  session: (id) => join(sessions(), id, "events.jsonl"),
  parse: ({ type, data }) => {
    const { content, toolRequests, toolCallId, result, shellExecution } = fieldsOf(data);
    if (type === "user.message") return promptOf(content);
    if (type === "assistant.message")
      return [
        ...writtenText(content),
        ...listOf(toolRequests).map((call) => ({
          kind: "call" as const,
          id: String(call.toolCallId),
          tool: String(call.name),
          input: fieldsOf(call.arguments),
        })),
      ];
    if (type !== "tool.execution_complete") return [];
    const text = stringOf(fieldsOf(result).content) ?? "";
    // The file that it names is removed when the session ends; the size is rounded.
    const [, size, unit = ""] = SAVED.exec(text) ?? [];
    const bytes = size === undefined ? undefined : Math.floor((Number(size) - 0.1) * (UNITS[unit] ?? 1));
    const failed = Number(fieldsOf(shellExecution).exitCode ?? 0) !== 0;
    return [{ kind: "result", id: String(toolCallId), text, failed, bytes }];
  },
};
