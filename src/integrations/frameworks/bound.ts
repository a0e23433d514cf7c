import { createHash } from "node:crypto";
import { mapTexts } from "../../bytes/map-texts.ts";
import { remember } from "../../bytes/remember.ts";
import { renderValue } from "../../gate/output.ts";
import { renderMessage } from "../../gate/render/notice.ts";
import type { ShownAs } from "../../gate/shown-as.ts";
import type { GateOptions, Outcome, Spillway } from "../../gate/types.ts";
import { type Query, queryText } from "../../query/query-context.ts";
import { QUERY_NAME } from "../mcp-shared/query-tool.ts";
import { READER_NAME } from "../mcp-shared/reader-tool.ts";
import { type BoundOptions, gateOf, hasReaders } from "./options.ts";

/** A tool's exception with a bounded message; the original is its `cause` if it differs. */
export async function boundError(bound: Bound, call: ToolCall, thrown: unknown): Promise<unknown> {
  const message = thrown instanceof Error ? thrown.message : typeof thrown === "string" ? thrown : undefined;
  const shown = await bound({ ...call, failed: true }, message ?? thrown);
  if (shown === message || shown === thrown) return thrown;
  const error = new Error(String(shown), { cause: thrown });
  if (thrown instanceof Error) error.name = thrown.name;
  return error;
}

/** Bounds each text in a value and keeps the value's shape, for parsers; the same object if all are within limits. */
export async function boundLeaves<T>(bound: Bound, call: ToolCall, value: T): Promise<T> {
  return (await mapTexts(value, (text) => bound(call, text))) as T;
}

/** How a framework's parts hold text; undefined for a part that is no text, such as an image. */
export interface TextParts<Part> {
  readonly textOf: (part: Part) => string | undefined;
  readonly withText: (part: Part, text: string) => Part;
}

type Fields = Readonly<Record<string, unknown>>;

/** Parts of the type `text`. */
export const TEXT_PARTS: TextParts<object> = {
  textOf: (part) => {
    const { type, text } = part as Fields;
    return type === "text" && typeof text === "string" ? text : undefined;
  },
  withText: (part, text) => ({ ...part, text }),
};

/**
 * Bounds the texts of a result made of parts, all together: the first text holds the shown part, the others are removed.
 * Images and the like stay where they are. The same list is given back when it is within the limits.
 */
export async function boundParts<Part>(
  bound: Bound,
  call: ToolCall,
  parts: readonly Part[],
  { textOf, withText }: TextParts<Part>,
): Promise<readonly Part[]> {
  const texts = parts.flatMap((part) => textOf(part) ?? []);
  if (texts.length === 0) return parts;
  const whole = texts.join("\n");
  const shown = await bound(call, whole);
  if (shown === whole) return parts;
  let placed = false;
  return parts.flatMap((part) => {
    if (textOf(part) === undefined) return [part];
    if (placed) return [];
    placed = true;
    return [withText(part, shown)];
  });
}

/** A copy of an object, of the same class, with some of its members replaced. */
export function withMembers<T extends object>(object: T, members: Partial<T>): T {
  return Object.assign(Object.create(Object.getPrototypeOf(object) as object) as T, object, members);
}

/** Texts of calls that are remembered for each gate, so that every step sends the same bytes. */
const REMEMBERED = 256;
const memories = new WeakMap<Spillway, Map<string, Promise<string | undefined>>>();
const MESSAGE_CHARS = 300;

/** A tool call, with the known facts other than its value. */
export interface ToolCall {
  readonly tool: string;
  readonly callId?: string | undefined;
  /** @default false */
  readonly failed?: boolean | undefined;
  /** The known reasons for the call, unless the options give them. */
  readonly query?: Query | undefined;
  /** Names of the tools that the model is offered, where the framework tells them. */
  readonly tools?: readonly string[] | undefined;
}

/** Gives a tool's value back as it is when it is within the limits, else the text that the model should see of it. */
export type Bound = <T>(call: ToolCall, value: T) => Promise<T | string>;

/** The one function that every adapter calls. The same call with the same value gives the same text each time. */
export function createBound(options: BoundOptions, place: string): Bound {
  const spillway = gateOf(options, place);
  const remembered = memoryOf(spillway);
  const { spillway: _, query, tools, ...limits } = options;
  return async ({ tool, callId, ...facts }, value) => {
    if (process.env.SPILLWAY === "off" || tool === READER_NAME || tool === QUERY_NAME || value === undefined)
      return value;
    const text = typeof value === "string" ? value : renderValue(value);
    const sha256 = createHash("sha256").update(text).digest("hex");
    const key = JSON.stringify([tool, callId, facts.failed === true, sha256, limits]);
    const known = remembered.get(key);
    const shown =
      known ??
      boundOnce(spillway, typeof value === "string" ? value : { value }, text, sha256, {
        tool,
        callId,
        query: query ?? facts.query,
        outcome: facts.failed === true ? failureOf(text) : undefined,
        agents: [],
        ...readersOf(spillway, tools ?? facts.tools),
        ...limits,
      });
    remember(remembered, key, shown, REMEMBERED);
    return (await shown) ?? value;
  };
}

function memoryOf(spillway: Spillway): Map<string, Promise<string | undefined>> {
  const memory = memories.get(spillway) ?? new Map<string, Promise<string | undefined>>();
  memories.set(spillway, memory);
  return memory;
}

/** The text to show; undefined when that is the value as it is. */
async function boundOnce(
  spillway: Spillway,
  output: string | { readonly value: unknown },
  text: string,
  sha256: string,
  options: GateOptions,
): Promise<string | undefined> {
  const before = (await mayBeOver(spillway, text, options)) ? await findSaved(spillway, sha256, options) : undefined;
  const governed = await spillway.govern(output, { ...options, ...before });
  if (governed.kind === "bounded") return renderMessage(governed);
  return governed.redacted === undefined ? undefined : governed.text;
}

/** False when nothing will be saved, so that nothing need be looked for. */
async function mayBeOver(spillway: Spillway, text: string, options: GateOptions): Promise<boolean> {
  const { maxBytes, maxChars, maxLines, maxTokens } = (await spillway.limits(options)).limits;
  if (maxTokens !== Infinity || text.length > maxChars || Buffer.byteLength(text) > maxBytes) return true;
  return text.split(/\n|\\n/, maxLines + 1).length > maxLines;
}

/** Where an earlier step or process has saved this very output, and for which question and reader it was shown. */
async function findSaved(
  spillway: Spillway,
  sha256: string,
  { tool, callId, query: asked }: GateOptions,
): Promise<GateOptions | undefined> {
  if (callId === undefined || callId === "") return undefined;
  const found = await spillway.store.find(callId).catch(() => undefined);
  const { manifest } = found ?? {};
  if (manifest?.sha256 !== sha256 || manifest.tool !== tool || !manifest.complete) return undefined;
  const { query, reader } = (manifest.shown ?? {}) as Partial<ShownAs>;
  // Manifests keep only the beginning of a long one.
  const same = query !== undefined && queryText(asked)?.startsWith(query) === true;
  return { savedAs: found, ...(manifest.shown && { query: same ? asked : query, tools: reader?.tools }) };
}

function readersOf(spillway: Spillway, tools: readonly string[] | undefined): Pick<GateOptions, "tools"> {
  if (tools?.includes(READER_NAME) === true || (tools === undefined && hasReaders(spillway)))
    return { tools: [READER_NAME, ...(tools?.includes(QUERY_NAME) === false ? [] : [QUERY_NAME])] };
  return { tools: tools ?? [] };
}

function failureOf(text: string): Outcome {
  return { kind: "failure", message: text.trimStart().slice(0, MESSAGE_CHARS).split("\n", 1)[0]! };
}
