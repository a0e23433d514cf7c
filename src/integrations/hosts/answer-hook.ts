import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fieldsOf, isObject } from "../../bytes/json/is-object.ts";
import { mapTexts } from "../../bytes/map-texts.ts";
import { commandIn } from "../../gate/command-line.ts";
import { renderMessage } from "../../gate/render/message.ts";
import { createSpillway } from "../../gate/spillway.ts";
import { type BoundFileRequest, boundFile } from "./bound-file.ts";
import { isBounded } from "./bound-mark.ts";
import type { Host } from "./host.ts";
import { ensureSpoolFolder } from "./program-folder.ts";
import { findQuestion, joinQuestion } from "./transcripts/find-question.ts";

type Fields = Readonly<Record<string, unknown>>;
type HookRequest = Omit<BoundTextRequest, "tool" | "query" | "commandLine">;

/** What a host should do with a tool's result, in its own words; undefined to leave it as it is. */
export async function answerHook(
  host: Host,
  event: string,
  input: unknown,
  request: HookRequest,
): Promise<Fields | undefined> {
  const { results } = host;
  if (results?.by !== "hook" || results.event !== event || !isObject(input)) return undefined;
  const tool = input.tool_name;
  if (typeof tool !== "string" || !results.tools.test(tool)) return undefined;
  const commandLine = commandIn(input.tool_input);
  const bounded = { ...request, tool, commandLine, query: await questionOf(host, input) };
  if (results.answer === "updated-output") {
    const updatedToolOutput = await mapTexts(input.tool_response, async (text) => {
      const saved = /saved to (\/\S+?)[.,]?(?:\s|$)/.exec(results.savedWhen?.test(text) === true ? text : "")?.[1];
      return (
        (saved === undefined ? await boundText(host, text, bounded) : await boundSaved(host, saved, bounded)) ?? text
      );
    });
    return updatedToolOutput === input.tool_response
      ? undefined
      : { hookSpecificOutput: { hookEventName: event, updatedToolOutput } };
  }
  const content = isObject(input.tool_response) ? input.tool_response.llmContent : undefined;
  const shown = typeof content === "string" ? await boundText(host, content, bounded) : undefined;
  return shown === undefined ? undefined : { decision: "deny", reason: shown };
}

/** What the call says that it is for, or else what the user asked for. */
async function questionOf(host: Host, { tool_input, transcript_path, cwd }: Fields): Promise<string | undefined> {
  const { prompt, query, question, description } = fieldsOf(tool_input);
  const said = [prompt, query, question, description].filter((one) => typeof one === "string");
  const own = said.map((one) => joinQuestion(one)).find((one) => one !== undefined);
  if (own !== undefined || typeof transcript_path !== "string" || typeof cwd !== "string") return own;
  return findQuestion(host, cwd, transcript_path);
}

type BoundTextRequest = Omit<BoundFileRequest, "file" | "outcome">;

/** What a host's model should see of a tool's text; undefined when that is the text as it is. */
async function boundText(host: Host, text: string, request: BoundTextRequest): Promise<string | undefined> {
  const redaction = await createSpillway({ root: request.root }).redaction();
  const clean = redaction?.text(text).text ?? text;
  if (Buffer.byteLength(clean) <= host.maxBytes.success || isBounded(clean)) return clean === text ? undefined : clean;
  const folder = await mkdtemp(path.join(await ensureSpoolFolder(), "result-"));
  try {
    const file = path.join(folder, "output");
    await writeFile(file, clean, { mode: 0o600 });
    return (await boundSaved(host, file, request)) ?? (clean === text ? undefined : clean);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The same for a text that the host has put into a file. */
async function boundSaved(host: Host, file: string, request: BoundTextRequest): Promise<string | undefined> {
  if (!existsSync(file)) return undefined;
  const governed = await boundFile(host, { ...request, file, outcome: { kind: "success" } });
  if (governed.kind === "bounded") return renderMessage(governed);
  return governed.redacted === undefined ? undefined : governed.text;
}
