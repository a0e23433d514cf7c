import { isObject } from "../../../bytes/json/is-object.ts";
import { jsonBytes } from "../../../bytes/json/json-size.ts";
import { type ArtifactLink, TRUNCATION_META_KEY } from "../../../gate/render/mcp-facts.ts";
import { textBlock } from "../../../gate/render/mcp-notice.ts";
import type { Spillway } from "../../../gate/types.ts";
import type { Outcome } from "../../../protocol/outcome.ts";
import type { JsonObject, RpcError, RpcMessage } from "../../mcp-shared/json-rpc.ts";
import type { ProxyGate } from "../proxy-gate.ts";
import type { BoundContext, BoundRequest } from "./bound-context.ts";
import { boundRest } from "./bound-rest.ts";
import { boundResult } from "./bound-result.ts";
import { boundText, excessOf } from "./bound-text.ts";
import { limitsForClient } from "./client-limits.ts";
import { joinTexts } from "./join-texts.ts";
import { lastCap, mediaIn, messageBytes } from "./last-cap.ts";
import { restoreStrings } from "./restore-strings.ts";
import type { ResultOnDisk, SpooledString } from "./result-on-disk.ts";
import { measureText, openText } from "./text-source.ts";

/** Stands for the text of a whole message. */
const WHOLE = "spillway-whole-message";
const FAILED = "the server says that the call failed";

export interface BoundMessage {
  /** The very message that was given when everything was within the limits and in memory. */
  readonly message: RpcMessage;
  readonly artifacts: readonly ArtifactLink[];
}

/** Bounds the response to a tool call, whether it is a result or a JSON-RPC error. */
export async function boundMessage(
  message: RpcMessage,
  request: BoundRequest,
  spillway: Spillway,
): Promise<BoundMessage> {
  return bound(message, await createContext(request, spillway, message));
}

/** The same for a response that is on disk. The spool file may go afterwards. */
export async function boundSpooled(
  spooled: ResultOnDisk,
  request: BoundRequest,
  spillway: Spillway,
): Promise<BoundMessage> {
  const message = spooled.parseSkeleton();
  const shown = message ?? asOneText(spooled, request);
  const context: BoundContext = { ...(await createContext(request, spillway, shown)), spooled };
  return message ? bound(message, context) : boundAsText(shown, context, spooled);
}

/** Bounds a message whose only text stands for all of another that is on disk. */
function boundAsText(
  message: RpcMessage,
  context: BoundContext,
  whole: { readonly bytes: number; read(): AsyncIterable<Uint8Array> },
): Promise<BoundMessage> {
  const read = (): AsyncIterable<Uint8Array> => whole.read();
  const resolve = (text: string): SpooledString | undefined =>
    text === WHOLE ? { escapedBytes: whole.bytes, read } : undefined;
  return boundOnce(message, { ...context, message, spooled: { read, resolve } });
}

/** A response whose structure alone is too large to be read, as a result with all of it as its only text. */
function asOneText(spooled: ResultOnDisk, request: BoundRequest): RpcMessage {
  const { id } = spooled;
  const content = [textBlock(WHOLE)];
  const result = { content, ...(request.outputSchema ? { isError: true } : {}) };
  return { jsonrpc: "2.0", ...(id === undefined ? {} : { id }), result };
}

async function createContext(request: BoundRequest, spillway: Spillway, message: RpcMessage): Promise<BoundContext> {
  const { words } = spillway as Partial<ProxyGate>;
  const resolved = await spillway.limits({ tool: request.tool, callId: request.callId });
  const failed = message.error !== undefined || message.result?.isError === true;
  const limits = limitsForClient(resolved, request.clientBytes?.[failed ? "failure" : "success"]);
  const outcome: Outcome = failed ? { kind: "failure", message: FAILED } : { kind: "success" };
  return { ...request, spillway, message, words, ...resolved, limits, outcome };
}

async function bound(message: RpcMessage, context: BoundContext): Promise<BoundMessage> {
  if (isObject(message.error)) return boundError(message, message.error, context);
  if (!isObject(message.result)) return { message, artifacts: [] };
  const joined = joinTexts(message.result, context);
  if (joined === "too many") return boundWhole(message, context);
  const bounded = await boundOnce(joined === message.result ? message : { ...message, result: joined }, context);
  // What passes untouched passes with its own blocks.
  const shown = isCut(bounded) || joined === message.result ? bounded : await boundOnce(message, context);
  const cap = lastCap(context) + mediaIn(shown.message.result?.content);
  return messageBytes(shown.message, cap) > cap ? boundWhole(message, context) : shown;
}

function isCut({ message }: BoundMessage): boolean {
  const meta = message.result?._meta;
  return isObject(meta) && meta[TRUNCATION_META_KEY] !== undefined;
}

/** The last resort: all of the message as one text, saved as it came. */
function boundWhole(message: RpcMessage, context: BoundContext): Promise<BoundMessage> {
  const { jsonrpc, id, result } = message;
  const isError = context.outputSchema !== undefined || result?.isError === true;
  const { spooled } = context;
  const text = spooled ? WHOLE : JSON.stringify(message, null, 2);
  const shown: RpcMessage = {
    jsonrpc,
    ...(id === undefined ? {} : { id }),
    result: { content: [textBlock(text)], ...(isError ? { isError } : {}) },
  };
  // What is on disk counts as large, whatever its size.
  return spooled
    ? boundAsText(shown, context, { bytes: Number.MAX_SAFE_INTEGER, read: () => spooled.read() })
    : boundOnce(shown, { ...context, message: shown });
}

async function boundOnce(message: RpcMessage, context: BoundContext): Promise<BoundMessage> {
  if (!isObject(message.result)) return { message, artifacts: [] };
  const { result, artifacts, outer } = await boundResult(message.result, context);
  if (result === message.result) return { message, artifacts: [] };
  if (outer === undefined) return { message: { ...message, result }, artifacts };
  const { jsonrpc, id } = message;
  return { message: { jsonrpc, ...(id === undefined ? {} : { id }), ...outer, result }, artifacts };
}

async function boundError(message: RpcMessage, error: RpcError, context: BoundContext): Promise<BoundMessage> {
  const artifacts: ArtifactLink[] = [];
  const source = await openText(String(error.message), context.spooled);
  let text = source.kind === "memory" ? source.text : undefined;
  let facts: JsonObject = {};
  if (excessOf(measureText(source), context.limits) > 1) {
    const bounded = await boundText(source, context.limits, { part: "error" }, context);
    text = bounded?.text ?? text;
    if (bounded?.link) artifacts.push(bounded.link);
    if (bounded) facts = { [TRUNCATION_META_KEY]: bounded.facts };
  }
  const restored = context.spooled
    ? await restoreStrings(error.data, context.spooled, context.limits.maxBytes)
    : { value: error.data, whole: true };
  const fits = restored.whole && (restored.value === undefined || jsonBytes(restored.value) <= context.limits.maxBytes);
  const { code, message: _, data: __, ...fields } = error;
  const { jsonrpc, id, error: ___, ...outer } = message;
  const { rest, part } = await boundRest({ message: outer, fields, blocks: [], beside: {} }, 0, [], context);
  if (part?.link) artifacts.push(part.link);
  if (part) facts = { [TRUNCATION_META_KEY]: part.facts, ...facts };
  if (fits && !part && artifacts.length === 0 && !context.spooled) return { message, artifacts };
  if (!fits) {
    const governed = await context.spillway.govern(context.spooled?.read() ?? { value: error.data }, {
      tool: context.tool,
      callId: context.callId,
      extension: "json",
      outcome: { kind: "failure", message: text ?? "" },
    });
    facts = { [TRUNCATION_META_KEY]: governed.kind === "bounded" ? governed.storage : { lost: "error data" } };
  }
  const data = fits
    ? isObject(restored.value)
      ? { ...restored.value, ...facts }
      : (restored.value ?? emptyToUndefined(facts))
    : facts;
  const bounded: RpcError = { ...rest.fields, code, message: text ?? "", ...(data === undefined ? {} : { data }) };
  const header = { jsonrpc, ...(id === undefined ? {} : { id }) };
  return { message: { ...rest.message, ...header, error: bounded }, artifacts };
}

function emptyToUndefined(value: JsonObject): JsonObject | undefined {
  return Object.keys(value).length === 0 ? undefined : value;
}
