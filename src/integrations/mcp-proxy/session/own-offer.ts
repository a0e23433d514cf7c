import type { ArtifactStore } from "../../../artifacts/types.ts";
import { SpillwayError } from "../../../errors.ts";
import type { ArtifactLink } from "../../../gate/render/mcp-facts.ts";
import { type Era, shapeResult } from "../../mcp-shared/era.ts";
import {
  createError,
  createResult,
  INVALID_PARAMS,
  isResponse,
  type JsonObject,
  RESOURCE_NOT_FOUND,
  type RequestId,
  type RpcError,
  type RpcMessage,
  type RpcRequest,
} from "../../mcp-shared/json-rpc.ts";
import { callQuery } from "../../mcp-shared/query-tool.ts";
import { ARTIFACT_TEMPLATE, ARTIFACT_URI_PREFIX, readArtifactResource } from "../../mcp-shared/read-artifact.ts";
import { callReader, type ReaderLimits } from "../../mcp-shared/reader-tool.ts";
import type { ExpectedAnswer } from "../spool/spool.ts";
import type { ToolCatalog } from "./tool-catalog.ts";

/** A server that has not answered a ping by then answers none. */
const SILENCE_MS = 15_000;

/** An RPC error that came back to the proxy's own request. */
export class RpcFailure extends SpillwayError {
  readonly rpcError: RpcError;

  constructor(error: RpcError) {
    super("UPSTREAM_FAILED", error.message);
    this.rpcError = error;
  }
}

/** The server is alive and left a request unanswered. */
export class Unanswered extends SpillwayError {
  constructor(method: string, ms: number) {
    super("UPSTREAM_FAILED", `The server did not answer ${method} in ${ms} ms`);
  }
}

/** The proxy's own requests; their ids cannot collide with a client's. */
export class OwnRequests {
  readonly #send: (message: RpcMessage, now: boolean) => Promise<void>;
  readonly #open = new Map<RequestId, { resolve: (result: JsonObject) => void; reject: (error: Error) => void }>();
  #count = 0;

  constructor(send: (message: RpcMessage, now: boolean) => Promise<void>) {
    this.#send = send;
  }

  /** The upstream's next possible answers. */
  expected(): readonly ExpectedAnswer[] {
    return [...this.#open.keys()].map((id) => ({ id }));
  }

  has(id: RequestId): boolean {
    return this.#open.has(id);
  }

  /** Sends a request; with `now`, also before the link is ready. Rejects with RpcFailure, or when the link goes down. */
  request(method: string, params?: JsonObject, now = false, timeoutMs?: number): Promise<JsonObject> {
    const { answer, giveUpAfter } = this.#begin(method, params, now);
    if (timeoutMs !== undefined) giveUpAfter(timeoutMs);
    return answer;
  }

  /**
   * Sends a request that a server may leave unanswered. The timeout starts once the server has answered a ping sent after
   * it, so that a slow start does not count.
   */
  probe(method: string, params: JsonObject, timeoutMs: number): Promise<JsonObject> {
    const { answer, giveUpAfter } = this.#begin(method, params, false);
    const alive = (): void => giveUpAfter(timeoutMs);
    this.request("ping", params, false, SILENCE_MS).then(alive, alive);
    return answer;
  }

  #begin(method: string, params: JsonObject | undefined, now: boolean) {
    const id = `spillway-own-${++this.#count}`;
    let timer: NodeJS.Timeout | undefined;
    const answer = new Promise<JsonObject>((resolve, reject) => {
      const settle =
        <T>(done: (value: T) => void) =>
        (value: T): void => {
          clearTimeout(timer);
          this.#open.delete(id);
          done(value);
        };
      this.#open.set(id, { resolve: settle(resolve), reject: settle(reject) });
      this.#send({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) }, now).catch(
        settle(reject),
      );
    });
    const giveUpAfter = (ms: number): void => {
      const error = new Unanswered(method, ms);
      if (this.#open.has(id)) timer = setTimeout(() => this.#open.get(id)?.reject(error), ms);
    };
    return { answer, giveUpAfter };
  }

  /** Sends a notification on a link that may not be ready yet. */
  notify(method: string): Promise<void> {
    return this.#send({ jsonrpc: "2.0", method }, true);
  }

  /** True when the message answered a request of ours. */
  settle(message: RpcMessage): boolean {
    const open = isResponse(message) ? this.#open.get(message.id) : undefined;
    if (!open) return isResponse(message) && String(message.id).startsWith("spillway-own-");
    if (message.error) open.reject(new RpcFailure(message.error));
    else open.resolve(message.result ?? {});
    return true;
  }

  failAll(reason: string): void {
    for (const { reject } of [...this.#open.values()]) reject(new SpillwayError("UPSTREAM_FAILED", reason));
  }
}

/** Artifacts of a session that `resources/list` shows. */
const MOST_LISTED = 100;

/** The proxy's own additions: reader tools, and artifacts as resources. */
export class OwnOffer {
  readonly #catalog: ToolCatalog;
  readonly #store: ArtifactStore;
  readonly #limits: () => ReaderLimits;
  readonly #artifacts: ArtifactLink[] = [];

  constructor(catalog: ToolCatalog, store: ArtifactStore, limits: () => ReaderLimits) {
    this.#catalog = catalog;
    this.#store = store;
    this.#limits = limits;
  }

  /** Takes note of artifacts that a result points to. */
  remember(artifacts: readonly ArtifactLink[]): void {
    this.#artifacts.push(...artifacts);
    this.#artifacts.splice(0, this.#artifacts.length - MOST_LISTED);
  }

  /** Adds to the last page of a list of the upstream's; returns the same object when there is nothing to add. */
  async addTo(method: string, result: JsonObject): Promise<JsonObject> {
    if (method === "tools/list") return this.#catalog.readPage(result);
    if (typeof result.nextCursor === "string") return result;
    if (method === "resources/list") return this.#addArtifacts(result);
    return method === "resources/templates/list" ? addTemplate(result) : result;
  }

  /** Answers requests for the proxy; `alone` if the upstream has no resources of its own. */
  async answer({ id, method, params }: RpcRequest, era: Era, alone: boolean): Promise<RpcMessage | undefined> {
    const shaped = (result: JsonObject): RpcMessage => createResult(id, shapeResult(method, result, era));
    const { reader, query } = this.#catalog;
    if (method === "tools/call" && reader !== undefined && params?.name === reader)
      return shaped(await callReader(params.arguments, this.#store, this.#limits()));
    if (method === "tools/call" && query !== undefined && params?.name === query)
      return shaped(await callQuery(params.arguments, this.#store, this.#limits()));
    const uri = params?.uri;
    if (typeof uri === "string" && uri.startsWith(ARTIFACT_URI_PREFIX)) {
      if (method === "resources/subscribe" || method === "resources/unsubscribe") return shaped({});
      if (method !== "resources/read") return undefined;
      try {
        return shaped(await readArtifactResource(uri, this.#store, this.#limits().maxMediaBytes));
      } catch (error) {
        const code = era === "modern" ? INVALID_PARAMS : RESOURCE_NOT_FOUND;
        return createError(id, code, (error as Error).message, { uri });
      }
    }
    if (!alone) return undefined;
    if (method === "resources/list") return shaped(this.#addArtifacts({ resources: [] }));
    return method === "resources/templates/list" ? shaped(addTemplate({ resourceTemplates: [] })) : undefined;
  }

  #addArtifacts(result: JsonObject): JsonObject {
    if (this.#artifacts.length === 0 || !Array.isArray(result.resources)) return result;
    const own = this.#artifacts.map(({ uri, name, mimeType, bytes, tool }) => ({
      uri,
      name,
      mimeType,
      size: bytes,
      description: `Full output of ${tool}, saved by Spillway`,
    }));
    return { ...result, resources: [...result.resources, ...own] };
  }
}

function addTemplate(result: JsonObject): JsonObject {
  if (!Array.isArray(result.resourceTemplates)) return result;
  return { ...result, resourceTemplates: [...result.resourceTemplates, ARTIFACT_TEMPLATE] };
}
