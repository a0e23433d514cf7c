import { createHash } from "node:crypto";
import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stateFolder } from "../../../artifacts/local/store-folder.ts";
import { isObject } from "../../../bytes/json/is-object.ts";
import type { JsonObject, RpcMessage } from "../../mcp-shared/json-rpc.ts";
import type { Report } from "../link/link.ts";
import type { LazyServer } from "./lazy-server.ts";
import type { ServerEntry } from "./read-servers.ts";

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

/** Changes within this time are announced once. */
const MERGE_MS = 50;

/** Tells a client of several servers what changed, and what is missing. */
export class Announcements {
  readonly #send: (message: RpcMessage) => void;
  readonly #report: Report;
  readonly #changed = new Set<ListKind>();
  readonly #reported = new Map<LazyServer, string>();
  #merging: NodeJS.Timeout | undefined;

  constructor(send: (message: RpcMessage) => void, report: Report) {
    this.#send = send;
    this.#report = report;
  }

  changed(kinds: readonly ListKind[]): void {
    for (const kind of kinds) this.#changed.add(kind === "resourceTemplates" ? "resources" : kind);
    this.#merging ??= setTimeout(() => {
      this.#merging = undefined;
      for (const kind of this.#changed) this.#send({ jsonrpc: "2.0", method: `notifications/${kind}/list_changed` });
      this.#changed.clear();
    }, MERGE_MS);
  }

  /** Says once what is wrong with a server, to people and to the client. */
  missing(missing: readonly MissingServer[]): void {
    for (const { server, reason } of missing) {
      if (this.#reported.get(server) === reason) continue;
      this.#reported.set(server, reason);
      const text = `the server ${server.name} is not available: ${reason}`;
      this.#report(text);
      const params = { level: "error", logger: "spillway", data: text };
      this.#send({ jsonrpc: "2.0", method: "notifications/message", params });
    }
  }

  close(): void {
    clearTimeout(this.#merging);
  }
}

/** A server that is not in an answer, and why. */
export interface MissingServer {
  readonly server: LazyServer;
  readonly reason: string;
}

export interface GatheredLists {
  readonly lists: readonly { readonly server: LazyServer; readonly entries: readonly JsonObject[] }[];
  readonly missing: readonly MissingServer[];
}

export interface GatherOptions {
  /** Asks servers that run, instead of saying what they said before. */
  readonly live: boolean;
  /** How long servers that are slow to start are waited for. */
  readonly waitMs: number;
  /** A server that was not waited for has answered. */
  readonly onLate?: (server: LazyServer) => void;
}

/** One list of several servers, in their order; a server that fails or takes too long costs only its own part. */
export async function gatherLists(
  servers: readonly LazyServer[],
  kind: ListKind,
  { live, waitMs, onLate }: GatherOptions,
): Promise<GatheredLists> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), waitMs);
  });
  const answers = await Promise.all(
    servers.map(async (server) => {
      try {
        const listing = server.list(kind, live);
        const entries = await Promise.race([listing, late]);
        if (entries !== "late") return { server, entries };
        void listing.then(
          () => onLate?.(server),
          () => {},
        );
        return { server, reason: "it is still starting" };
      } catch (error) {
        return { server, reason: (error as Error).message };
      }
    }),
  );
  clearTimeout(timer);
  return {
    lists: answers.filter((answer) => answer.entries !== undefined),
    missing: answers.filter((answer) => answer.reason !== undefined),
  };
}

/** What a server said of itself the last time it ran. */
export interface KnownServer {
  readonly lists: ServerLists;
  readonly instructions?: string | undefined;
}

/** Older lists are asked for again. */
const LONGEST_AGE_MS = 24 * 60 * 60_000;
const LARGEST_BYTES = 4 * 1024 * 1024;

/** Keeps what servers offer in the user's state folder, so that one is started only when it is called. */
export class ListCache {
  readonly #folder = join(stateFolder(), "mcp-servers");
  readonly #root: string;

  /** What servers offer may depend on the folder they run in. */
  constructor(root: string) {
    this.#root = root;
  }

  async read({ digest }: ServerEntry): Promise<KnownServer | undefined> {
    try {
      const found: unknown = JSON.parse(await readFile(this.#path(digest), "utf8"));
      if (!isObject(found) || !isObject(found.lists) || typeof found.savedAt !== "number") return undefined;
      const { lists } = found;
      const age = Date.now() - found.savedAt;
      if (age < 0 || age > LONGEST_AGE_MS || !LIST_KINDS.every((kind) => Array.isArray(lists[kind]))) return undefined;
      const { instructions } = found;
      return {
        lists: lists as unknown as ServerLists,
        instructions: typeof instructions === "string" ? instructions : undefined,
      };
    } catch {
      return undefined;
    }
  }

  /** Saves for the next time; a folder that cannot be written only means that servers start sooner. */
  async write({ digest, name }: ServerEntry, known: KnownServer): Promise<void> {
    const text = JSON.stringify({ name, savedAt: Date.now(), ...known });
    if (text.length > LARGEST_BYTES) return;
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await chmod(this.#folder, 0o700);
      const draft = `${this.#path(digest)}.${process.pid}`;
      await writeFile(draft, text, { mode: 0o600 });
      await rename(draft, this.#path(digest));
    } catch {}
  }

  #path(digest: string): string {
    const key = createHash("sha256").update(`${digest} ${this.#root}`).digest("hex").slice(0, 32);
    return join(this.#folder, `${key}.json`);
  }
}
