import { isDeepStrictEqual } from "node:util";
import { fieldsOf, isObject } from "../../../bytes/json/is-object.ts";
import { SpillwayError } from "../../../errors.ts";
import { VERSION } from "../../../version.ts";
import { LEGACY_VERSIONS } from "../../mcp-shared/era.ts";
import { createDeferred } from "../../mcp-shared/http-body.ts";
import { type Frame, isResponse, type JsonObject, type RpcMessage } from "../../mcp-shared/json-rpc.ts";
import type { ClientPort } from "../client/client-port.ts";
import type { ProxySession } from "../session/session.ts";
import {
  fetchList,
  fetchLists,
  type KnownServer,
  LIST_KINDS,
  type ListCache,
  type ListKind,
  type ServerLists,
} from "./list-cache.ts";
import type { ServerEntry } from "./read-servers.ts";

/** How several servers introduce themselves as one; with the instructions of those that are named. */
export async function describeServers(requested: unknown, instructing: readonly LazyServer[]): Promise<JsonObject> {
  const instructions = await instructionsOf(instructing);
  return {
    protocolVersion: LEGACY_VERSIONS.includes(String(requested)) ? requested : LEGACY_VERSIONS[0],
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      completions: {},
      logging: {},
    },
    serverInfo: { name: "spillway", version: VERSION },
    ...(instructions === "" ? {} : { instructions }),
  };
}

async function instructionsOf(servers: readonly LazyServer[]): Promise<string> {
  const said = await Promise.all(
    servers.map(async (server) => {
      const text = (await server.recall())?.instructions?.trim();
      return text ? `${server.name}: ${text}` : "";
    }),
  );
  return said.filter((text) => text !== "").join("\n\n");
}

/** A server that has not opened by then counts as failed. */
const START_MS = 60_000;
/** A server that failed is tried again when it is needed after this time. */
const REST_MS = 3000;
const OWN_ID = "spillway-servers-";

export interface LazyServerOptions {
  readonly cache: ListCache;
  /** Opens a conversation that answers to the port; `onFatal` when there is no server to talk to. */
  readonly openSession: (client: ClientPort, onFatal: (error: Error) => void) => Promise<ProxySession>;
  /** What the client said of itself. */
  readonly initialize: () => JsonObject;
  /** What else a server must hear once it runs. */
  readonly onOpen: (server: LazyServer) => void;
  /** Everything that the server says, but for answers to requests made here. */
  readonly port: ClientPort;
  /** What it offers is no longer what was said. */
  readonly onChanged: (kinds: readonly ListKind[]) => void;
}

/** One server of several: started when it is needed for the first time, and again when it is needed after it failed. */
export class LazyServer {
  readonly entry: ServerEntry;
  readonly #options: LazyServerOptions;
  readonly #own = new Map<string, { resolve: (result: JsonObject) => void; reject: (error: Error) => void }>();
  #session: ProxySession | undefined;
  #opening: Promise<JsonObject> | undefined;
  #capabilities: JsonObject | undefined;
  #known: KnownServer | undefined;
  #reading: Promise<void> | undefined;
  #refreshing: Promise<void> | undefined;
  #failure: { readonly error: Error; readonly at: number } | undefined;
  #count = 0;
  #closed = false;

  constructor(entry: ServerEntry, options: LazyServerOptions) {
    this.entry = entry;
    this.#options = options;
  }

  get name(): string {
    return this.entry.name;
  }

  /** True while it can be talked to. */
  get running(): boolean {
    return this.#capabilities !== undefined;
  }

  /** What it can do, once it runs. */
  can(capability: string): boolean {
    return isObject(this.#capabilities?.[capability]);
  }

  /** What it said of itself, when it ran before or runs now. */
  async recall(): Promise<KnownServer | undefined> {
    this.#reading ??= this.#options.cache.read(this.entry).then((known) => {
      this.#known ??= known;
    });
    await this.#reading;
    return this.#known;
  }

  /** Starts it unless it runs; rejects with what is wrong with it. */
  async open(): Promise<void> {
    if (this.#failure && Date.now() - this.#failure.at < REST_MS) throw this.#failure.error;
    this.#opening ??= this.#open().catch((error: Error) => {
      this.#opening = undefined;
      this.#failure = { error, at: Date.now() };
      throw error;
    });
    await this.#opening;
  }

  /** One of its lists: as it was the last time while it does not run; `live` asks a running server again. */
  async list(kind: ListKind, live: boolean): Promise<readonly JsonObject[]> {
    const known = await this.recall();
    if (!this.running && known) return known.lists[kind];
    await this.open();
    await this.#refreshing;
    if (live && this.#capabilities)
      this.#learn({ [kind]: await fetchList(kind, this.#capabilities, (...asked) => this.request(...asked)) });
    return this.#known?.lists[kind] ?? [];
  }

  /** Passes on what the client says, when the server runs or can be started; `wanted` is asked again then. */
  async pass(message: RpcMessage, wanted: () => boolean = () => true): Promise<void> {
    await this.open();
    if (wanted()) this.#session?.fromClient({ message });
  }

  request(method: string, params: JsonObject): Promise<JsonObject> {
    const id = `${OWN_ID}${++this.#count}`;
    return new Promise((resolve, reject) => {
      this.#own.set(id, { resolve, reject });
      this.#session?.fromClient({ message: { jsonrpc: "2.0", id, method, params } });
    });
  }

  /** The server said that a list changed. */
  async changed(kinds: readonly ListKind[]): Promise<void> {
    const capabilities = this.#capabilities;
    if (!capabilities) return;
    await this.#refreshing;
    const fetched = await Promise.all(
      kinds.map(async (kind) => [kind, await fetchList(kind, capabilities, (...asked) => this.request(...asked))]),
    ).catch(() => []);
    this.#learn(Object.fromEntries(fetched));
    this.#options.onChanged(kinds);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#opening?.catch(() => {});
    await this.#session?.close();
  }

  async #open(): Promise<JsonObject> {
    if (this.#closed) throw new SpillwayError("UPSTREAM_FAILED", "The proxy is closing");
    const { promise: fatal, reject: giveUp } = createDeferred<never>();
    fatal.catch(() => {});
    const late = setTimeout(
      () => giveUp(new SpillwayError("UPSTREAM_FAILED", `it did not open in ${START_MS / 1000} s`)),
      START_MS,
    );
    try {
      const session = await this.#options.openSession(
        { send: this.#receive, sendLarge: this.#options.port.sendLarge },
        giveUp,
      );
      this.#session = session;
      void session.start();
      const opened = await Promise.race([this.request("initialize", this.#options.initialize()), fatal]);
      session.fromClient({ message: { jsonrpc: "2.0", method: "notifications/initialized" } });
      this.#capabilities = fieldsOf(opened.capabilities);
      this.#failure = undefined;
      this.#options.onOpen(this);
      this.#refreshing = this.#refresh(opened);
      return opened;
    } catch (error) {
      await this.#session?.close();
      this.#session = undefined;
      throw error;
    } finally {
      clearTimeout(late);
    }
  }

  /** Asks for what it offers now, and tells when that is not what was said before. */
  async #refresh({ instructions }: JsonObject): Promise<void> {
    try {
      const before = await this.recall();
      const lists = await fetchLists(this.#capabilities ?? {}, (...asked) => this.request(...asked));
      this.#known = { lists, instructions: typeof instructions === "string" ? instructions : undefined };
      await this.#options.cache.write(this.entry, this.#known);
      const changed = LIST_KINDS.filter((kind) => before && !isDeepStrictEqual(before.lists[kind], lists[kind]));
      if (changed.length > 0) this.#options.onChanged(changed);
    } catch (error) {
      this.#failure = { error: error as Error, at: Date.now() };
    }
  }

  #learn(lists: Partial<ServerLists>): void {
    if (!this.#known) return;
    const next = { ...this.#known, lists: { ...this.#known.lists, ...lists } };
    if (isDeepStrictEqual(next, this.#known)) return;
    this.#known = next;
    void this.#options.cache.write(this.entry, next);
  }

  #receive = (frame: Frame): void => {
    const { message } = frame;
    const own = isResponse(message) && typeof message.id === "string" ? this.#own.get(message.id) : undefined;
    if (!own) {
      this.#options.port.send(frame);
      return;
    }
    this.#own.delete(message.id as string);
    if (message.error) own.reject(new SpillwayError("UPSTREAM_FAILED", reasonOf(message)));
    else own.resolve(message.result ?? {});
  };
}

function reasonOf({ error }: RpcMessage): string {
  const data = error?.data;
  return isObject(data) && typeof data.reason === "string" ? data.reason : String(error?.message);
}
