import { spawnSync } from "node:child_process";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, open, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { fieldsOf, isObject } from "../../bytes/json/is-object.ts";
import { mapTexts } from "../../bytes/map-texts.ts";
import { SpillwayError } from "../../errors.ts";
import { commandIn } from "../../gate/command-line.ts";
import { createSpillway } from "../../gate/spillway.ts";
import type { Outcome } from "../../gate/types.ts";
import { judgeEnd } from "../../process/process-end.ts";
import type { QueryContext } from "../../query/query-context.ts";
import { type BoundFileRequest, boundFile, isBounded, tellBounded } from "./bound-file.ts";
import type { HookPlace, Host } from "./host.ts";
import { ensureSpoolFolder } from "./program-folder.ts";
import { findContext, joinTexts } from "./transcripts/find-transcripts.ts";
import { stringOf } from "./transcripts/transcript.ts";

type Fields = Readonly<Record<string, unknown>>;
type HookRequest = Omit<BoundTextRequest, "tool" | "query" | "commandLine" | "transcript" | "alreadyBounded">;

/** The answer to a host's hook, in the host's format; undefined to leave the result unchanged. */
export async function answerHook(
  host: Host,
  event: string,
  input: unknown,
  request: HookRequest,
): Promise<Fields | undefined> {
  const { results } = host;
  if (results?.by !== "hook" || !results.events.includes(event) || !isObject(input)) return undefined;
  const tool = input.tool_name ?? input.toolName;
  if (typeof tool !== "string" || !results.tools.test(tool)) return undefined;
  const commandLine = commandIn(input.tool_input ?? input.toolArgs);
  if (commandLine !== undefined && isOff(commandLine)) return undefined;
  const transcript = stringOf(input.transcript_path) || undefined;
  const bounded = { ...request, tool, commandLine, transcript, query: await queryOf(host, input) };
  if (results.answer === "updated-output") {
    const { tool_response } = input;
    const { prompt } = fieldsOf(tool_response);
    // The proxy puts its notice in a block of its own.
    const texts: string[] = [];
    await mapTexts(tool_response, async (text) => texts[texts.push(text) - 1]);
    const alreadyBounded = isBounded(texts.join("\n"));
    // A sub-agent's result holds its task too.
    const updatedToolOutput = await mapTexts(tool_response, async (text) =>
      text === prompt ? text : ((await boundText(host, results, text, { ...bounded, alreadyBounded }))?.shown ?? text),
    );
    return updatedToolOutput === input.tool_response
      ? undefined
      : { hookSpecificOutput: { hookEventName: event, updatedToolOutput } };
  }
  const text = resultText(input);
  const result = text === undefined ? undefined : await boundText(host, results, text, bounded);
  if (result === undefined) return undefined;
  const { shown, after } = result;
  if (results.answer === "add-context")
    return { hookSpecificOutput: { hookEventName: event, additionalContext: shown } };
  const all = after === "" ? shown : `${shown}\n${after}`;
  if (results.answer === "modified-result")
    return { modifiedResult: { ...fieldsOf(input.toolResult), textResultForLlm: all } };
  const file = await saveForReader(host, all, request.root, transcript);
  const tailToolCallRequest = { name: host.readers[0], args: { file_path: file } };
  return { hookSpecificOutput: { hookEventName: event, tailToolCallRequest } };
}

/** Whether a line ends with the comment `# spillway:off`; the shell decides what is a comment, as in bin/spillway-shell. */
function isOff(line: string): boolean {
  const comment = /#[ \t]*spillway:off\s*$/.exec(line);
  const parses = (text: string): boolean => spawnSync("bash", ["-n", "-c", text], { stdio: "ignore" }).status === 0;
  return comment !== null && parses(`${line.slice(0, comment.index)}# '`) && !parses(`${line}\n)`);
}

/** The text of a result, under each host's name for it; undefined if there is none, or if there are other parts. */
function resultText(input: Fields): string | undefined {
  const response = fieldsOf(input.tool_response ?? input.toolResult);
  const content = response.llmContent ?? response.textResultForLlm ?? input.error;
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? content.map((part) => fieldsOf(part).text) : [];
  return parts.length > 0 && parts.every((part) => typeof part === "string") ? parts.join("\n") : undefined;
}

/** A file for a host that reads it in place of the result: its reader cuts long lines. */
async function saveForReader(host: Host, text: string, root: string, transcript?: string): Promise<string> {
  const most = Math.min(host.largestRead.lineBytes, Buffer.byteLength(text)) - 100;
  const folded = text.replaceAll(new RegExp(`[^\\n]{${most}}(?=[^\\n])`, "gu"), "$&\n");
  const folder = host.readableFolder?.(root, transcript);
  if (folder === undefined) throw new SpillwayError("STORE_FAILED", "no folder that the agent reads is known");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `${Date.now()}-${process.pid}.txt`);
  await writeFile(file, folded, { mode: 0o600 });
  return file;
}

/** Why the call was made: from its arguments and the transcript. */
async function queryOf(host: Host, input: Fields): Promise<QueryContext> {
  const { transcript_path, cwd, sessionId } = input;
  const { prompt, query, question, description, command, pattern } = fieldsOf(input.tool_input ?? input.toolArgs);
  const file = stringOf(transcript_path);
  const session = stringOf(sessionId);
  const known =
    typeof cwd === "string" && (file ?? session) !== undefined
      ? await findContext(host, cwd, { file, session })
      : undefined;
  return {
    question: joinTexts(prompt, query, question),
    task: known?.task,
    assistantText: joinTexts(description, known?.assistantText),
    command: joinTexts(command ?? pattern ?? known?.command),
  };
}

interface BoundTextRequest extends Omit<BoundFileRequest, "file" | "outcome"> {
  readonly transcript: string | undefined;
  /** Another part of the result says that Spillway has bounded it. */
  readonly alreadyBounded?: boolean;
}

interface BoundText {
  readonly shown: string;
  /** The host's text after an output, such as the exit code. */
  readonly after: string;
}

/** The bounded form of a tool's text; undefined if the text stays unchanged. */
async function boundText(
  host: Host,
  place: HookPlace,
  text: string,
  request: BoundTextRequest,
): Promise<BoundText | undefined> {
  const saved = place.saved?.path.exec(text)?.[1];
  if (saved !== undefined) {
    const frame = existsSync(saved) ? await readFrame(saved, place) : undefined;
    if (frame === undefined) return undefined;
    const after = place.ending?.exec(text)?.[0].trim() ?? frame.after;
    const shown = await boundSaved(host, place, saved, { ...frame, after }, request);
    return shown === undefined ? undefined : { shown, after };
  }
  if (place.answer === "add-context") return undefined;
  const redaction = await createSpillway({ root: request.root }).redaction();
  const clean = redaction?.text(text).text ?? text;
  const unchanged = clean === text ? undefined : { shown: clean, after: "" };
  if (request.alreadyBounded === true || Buffer.byteLength(clean) <= host.maxBytes.success || isBounded(clean))
    return unchanged;
  const folder = await mkdtemp(path.join(await ensureSpoolFolder(), "result-"));
  try {
    const file = path.join(folder, "output");
    await writeFile(file, clean, { mode: 0o600 });
    const frame = await readFrame(file, place);
    const shown = await boundSaved(host, place, file, frame, request);
    return shown === undefined ? unchanged : { shown, after: frame.after };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Where the output is in a file that begins and ends with the host's own text. */
interface Frame {
  readonly start: number;
  readonly end: number;
  readonly after: string;
}

const HEAD_BYTES = 64 * 1024;
const TAIL_BYTES = 4096;

async function readFrame(file: string, { frame }: HookPlace): Promise<Frame> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    if (frame === undefined) return { start: 0, end: size, after: "" };
    const read = async (from: number, length: number): Promise<Buffer> => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, from);
      return buffer.subarray(0, bytesRead);
    };
    const head = frame.head.exec((await read(0, Math.min(size, HEAD_BYTES))).toString())?.[0] ?? "";
    const tail = await read(Math.max(0, size - TAIL_BYTES), Math.min(size, TAIL_BYTES));
    const after = frame.tail.exec(tail.toString())?.[0] ?? "";
    const end = size - Buffer.byteLength(after);
    return { start: Math.min(Buffer.byteLength(head), end), end, after: after.replace(/<\/\w+>\s*$/, "").trim() };
  } finally {
    await handle.close();
  }
}

/** The same for a text in a file, which stays unchanged. */
async function boundSaved(
  host: Host,
  place: HookPlace,
  saved: string,
  { start, end, after }: Frame,
  request: BoundTextRequest,
): Promise<string | undefined> {
  const folder = await mkdtemp(path.join(await ensureSpoolFolder(), "result-"));
  try {
    let file = saved;
    if (place.frame !== undefined) {
      file = path.join(folder, "output");
      await pipeline(
        createReadStream(saved, { start, end: Math.max(start, end - 1) }),
        createWriteStream(file, { mode: 0o600 }),
      );
    }
    const code = Number(/exit code:? (\d+)/i.exec(after)?.[1] ?? 0);
    const ended = { exitCode: code, signal: null, timedOut: false, aborted: false, heldOpen: false };
    const outcome: Outcome = code === 0 ? { kind: "success" } : judgeEnd(ended);
    const governed = await boundFile(host, { ...request, file, outcome, maxBytes: place.maxBytes });
    if (governed.kind === "bounded") return await tellBounded(host, governed, request.root, request.transcript);
    return governed.redacted === undefined ? undefined : governed.text;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
