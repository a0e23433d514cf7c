import type { ArtifactStore } from "../../../artifacts/types.ts";
import type { ArtifactLink } from "../../../gate/render/mcp-facts.ts";
import { ARTIFACT_TEMPLATE, ARTIFACT_URI_PREFIX } from "../../mcp-shared/artifact-uri.ts";
import { type Era, shapeResult } from "../../mcp-shared/era.ts";
import {
  createError,
  createResult,
  INVALID_PARAMS,
  type JsonObject,
  RESOURCE_NOT_FOUND,
  type RpcMessage,
  type RpcRequest,
} from "../../mcp-shared/json-rpc.ts";
import { readArtifactResource } from "../../mcp-shared/read-artifact.ts";
import { callReader, type ReaderLimits } from "../../mcp-shared/reader-tool.ts";
import type { ToolCatalog } from "./tool-catalog.ts";

/** Artifacts of a session that `resources/list` shows. */
const MOST_LISTED = 100;

/** What the proxy has to offer beside the upstream: reader tools and artifacts as resources. */
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

  /** Answers a request that is the proxy's to answer; `alone` when the upstream has no resources of its own. */
  async answer({ id, method, params }: RpcRequest, era: Era, alone: boolean): Promise<RpcMessage | undefined> {
    const shaped = (result: JsonObject): RpcMessage => createResult(id, shapeResult(method, result, era));
    const { reader } = this.#catalog;
    if (method === "tools/call" && reader !== undefined && params?.name === reader)
      return shaped(await callReader(params.arguments, this.#store, this.#limits()));
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
