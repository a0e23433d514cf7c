import { isObject } from "../../../bytes/json/is-object.ts";
import type { JsonObject } from "../../mcp-shared/json-rpc.ts";

/** The lists of a server, by the key of their entries in a result. */
export const LISTS = {
  tools: { method: "tools/list", capability: "tools" },
  prompts: { method: "prompts/list", capability: "prompts" },
  resources: { method: "resources/list", capability: "resources" },
  resourceTemplates: { method: "resources/templates/list", capability: "resources" },
} as const;

export type ListKind = keyof typeof LISTS;
export const LIST_KINDS = Object.keys(LISTS) as ListKind[];

/** What a server has to offer. */
export type ServerLists = Readonly<Record<ListKind, readonly JsonObject[]>>;

type Request = (method: string, params: JsonObject) => Promise<JsonObject>;

/** More pages are a server that never ends. */
const MOST_PAGES = 1000;

/** Reads all pages of a list; empty for a server that has no such thing. */
export async function fetchList(
  kind: ListKind,
  capabilities: JsonObject,
  request: Request,
): Promise<readonly JsonObject[]> {
  const { method, capability } = LISTS[kind];
  if (!isObject(capabilities[capability])) return [];
  const all: JsonObject[] = [];
  let cursor: unknown;
  for (let page = 0; page < MOST_PAGES; page++) {
    const result = await request(method, typeof cursor === "string" ? { cursor } : {});
    const entries = result[kind];
    if (Array.isArray(entries)) all.push(...entries.filter(isObject));
    cursor = result.nextCursor;
    if (typeof cursor !== "string") break;
  }
  return all;
}

/** Reads all lists; one that the server fails to give is empty, unless it is that of the tools. */
export async function fetchLists(capabilities: JsonObject, request: Request): Promise<ServerLists> {
  const optional = (kind: ListKind): Promise<readonly JsonObject[]> =>
    fetchList(kind, capabilities, request).catch(() => []);
  const [tools, prompts, resources, resourceTemplates] = await Promise.all([
    fetchList("tools", capabilities, request),
    optional("prompts"),
    optional("resources"),
    optional("resourceTemplates"),
  ]);
  return { tools, prompts, resources, resourceTemplates };
}
