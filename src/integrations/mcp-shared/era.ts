import { fieldsOf, isObject } from "../../bytes/json/is-object.ts";
import { type JsonObject, type RpcMessage, readMeta } from "./json-rpc.ts";

/** `legacy` opens with `initialize` (up to 2025-11-25); `modern` carries its envelope in every request (2026-07-28). */
export type Era = "legacy" | "modern";

export const MODERN_VERSION = "2026-07-28";
export const LEGACY_VERSIONS: readonly string[] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
/** The first version whose results may contain `resource_link` and `structuredContent`. */
export const FIRST_VERSION_WITH_LINKS = "2025-06-18";

const META_VERSION = "io.modelcontextprotocol/protocolVersion";
const META_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const META_CLIENT = "io.modelcontextprotocol/clientInfo";
export const META_SERVER = "io.modelcontextprotocol/serverInfo";
const META_LOG_LEVEL = "io.modelcontextprotocol/logLevel";
export const META_SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

/** The sender's facts in a modern request. */
export interface Envelope {
  readonly version: string;
  readonly capabilities: JsonObject;
  readonly clientInfo: JsonObject;
  readonly logLevel?: string;
}

const ENVELOPE_KEYS = [META_VERSION, META_CAPABILITIES, META_CLIENT, META_LOG_LEVEL];
const CACHEABLE_METHODS = new Set([
  "server/discover",
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
]);

/** The envelope of a request's params; undefined for a message of the legacy era. */
export function readEnvelope(params: unknown): Envelope | undefined {
  const meta = readMeta(params);
  const version = meta[META_VERSION];
  if (typeof version !== "string") return undefined;
  const capabilities = meta[META_CAPABILITIES];
  const clientInfo = meta[META_CLIENT];
  const logLevel = meta[META_LOG_LEVEL];
  return {
    version,
    capabilities: fieldsOf(capabilities),
    clientInfo: isObject(clientInfo) ? clientInfo : { name: "unknown", version: "0" },
    ...(typeof logLevel === "string" ? { logLevel } : {}),
  };
}

/** The era a client's message belongs to. */
export function eraOf(message: RpcMessage): Era {
  return message.method !== "initialize" && readEnvelope(message.params) ? "modern" : "legacy";
}

export function addEnvelope(params: JsonObject | undefined, envelope: Envelope): JsonObject {
  return {
    ...params,
    _meta: {
      ...readMeta(params),
      [META_VERSION]: envelope.version,
      [META_CAPABILITIES]: envelope.capabilities,
      [META_CLIENT]: envelope.clientInfo,
      ...(envelope.logLevel === undefined ? {} : { [META_LOG_LEVEL]: envelope.logLevel }),
    },
  };
}

/** The params without envelope keys, and without `_meta` when nothing else was in it. */
export function stripEnvelope(params: JsonObject | undefined): JsonObject | undefined {
  if (params === undefined) return undefined;
  const meta = Object.fromEntries(Object.entries(readMeta(params)).filter(([key]) => !ENVELOPE_KEYS.includes(key)));
  const { _meta: _, ...rest } = params;
  return Object.keys(meta).length > 0 ? { ...rest, _meta: meta } : rest;
}

/** A result in the form that a client of this era must get; returns the same object when it already has it. */
export function shapeResult(method: string, result: JsonObject, era: Era): JsonObject {
  if (era === "legacy") {
    if (result.resultType !== "complete") return result;
    const { resultType: _, ...rest } = result;
    return rest;
  }
  const missing: JsonObject = {};
  if (typeof result.resultType !== "string") missing.resultType = "complete";
  if (CACHEABLE_METHODS.has(method) && (result.resultType ?? "complete") === "complete") {
    if (typeof result.ttlMs !== "number") missing.ttlMs = 0;
    if (typeof result.cacheScope !== "string") missing.cacheScope = "private";
  }
  return Object.keys(missing).length === 0 ? result : { ...result, ...missing };
}
