import { fieldsOf, isObject } from "../../bytes/json/is-object.ts";

const PREFIX = "=?base64?";
const SUFFIX = "?=";
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** A text as an HTTP header holds it since 2026-07-28: as it is, or as base64 where a header could not hold it. */
export function encodeHeaderValue(text: string): string {
  const plain = /^[\x20-\x7e\t]+$/.test(text) && text === text.trim() && !isEncoded(text);
  return plain ? text : `${PREFIX}${Buffer.from(text).toString("base64")}${SUFFIX}`;
}

/** The decoded text of a header value; undefined if its base64 is invalid. */
export function decodeHeaderValue(value: string): string | undefined {
  if (!isEncoded(value)) return value;
  const encoded = value.slice(PREFIX.length, -SUFFIX.length);
  return BASE64.test(encoded) ? Buffer.from(encoded, "base64").toString("utf8") : undefined;
}

function isEncoded(value: string): boolean {
  return value.startsWith(PREFIX) && value.endsWith(SUFFIX);
}

export type JsonObject = Record<string, unknown>;
export type RequestId = string | number;

/** A parsed JSON-RPC 2.0 message. Fields this project does not know are kept as they are. */
export interface RpcMessage extends JsonObject {
  jsonrpc: "2.0";
  id?: RequestId;
  method?: string;
  params?: JsonObject;
  result?: JsonObject;
  error?: RpcError;
}

export interface RpcError extends JsonObject {
  code: number;
  message: string;
  data?: unknown;
}

/** A message and, when it came over a byte stream and was not changed since, its own bytes without the newline. */
export interface Frame {
  readonly message: RpcMessage;
  readonly raw?: Uint8Array;
  /** How many secrets of each kind were taken out of it. */
  readonly redacted?: Readonly<Record<string, number>>;
  /** The HTTP status that it came with, when that was no success. */
  readonly status?: number;
  /** HTTP headers that repeat arguments of a call. */
  readonly headers?: Readonly<Record<string, string>>;
}

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
/** Since 2026-07-28; `data.supported` lists the supported versions. */
export const UNSUPPORTED_VERSION = -32022;
/** The code of "Connection closed" in the official SDKs. */
export const CONNECTION_CLOSED = -32000;
/** Resource not found, as the specification has it up to 2025-11-25. */
export const RESOURCE_NOT_FOUND = -32002;

function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || typeof value === "number";
}

/** True for an object that has the outer form of a JSON-RPC request, notification or response. */
export function isRpcMessage(value: unknown): value is RpcMessage {
  if (!isObject(value) || value.jsonrpc !== "2.0") return false;
  if (typeof value.method === "string") return value.id === undefined || isRequestId(value.id);
  return isRequestId(value.id) || isObject(value.error);
}

/** A message that wants an answer. */
export type RpcRequest = RpcMessage & { id: RequestId; method: string };

export function isRequest(message: RpcMessage): message is RpcRequest {
  return message.method !== undefined && message.id !== undefined;
}

export function isNotification(message: RpcMessage): message is RpcMessage & { method: string } {
  return message.method !== undefined && message.id === undefined;
}

export function isResponse(message: RpcMessage): message is RpcMessage & { id: RequestId } {
  return message.method === undefined && isRequestId(message.id);
}

export function createResult(id: RequestId, result: JsonObject): RpcMessage {
  return { jsonrpc: "2.0", id, result };
}

export function createError(id: RequestId, code: number, message: string, data?: unknown): RpcMessage {
  return { jsonrpc: "2.0", id, error: data === undefined ? { code, message } : { code, message, data } };
}

/** The `_meta` of a request's params, or an empty object. */
export function readMeta(params: unknown): JsonObject {
  const meta = isObject(params) ? params._meta : undefined;
  return fieldsOf(meta);
}
