import { fieldsOf } from "../../../bytes/json/is-object.ts";
import { renderMcpError } from "../../../gate/render/mcp-notice.ts";
import {
  createError,
  createResult,
  type Frame,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  isRequest,
  isResponse,
  type JsonObject,
  METHOD_NOT_FOUND,
  RESOURCE_NOT_FOUND,
  type RequestId,
  type RpcMessage,
  type RpcRequest,
} from "../../mcp-shared/json-rpc.ts";
import { CALL_TOOL, FIND_TOOLS, LazyTools, readCall } from "../lazy-tools/lazy-tools.ts";
import type { Link, LinkEvents, Report } from "../link/link.ts";
import type { LargeMessage } from "../spool/spool.ts";
import { describeServers, LazyServer, type LazyServerOptions } from "./lazy-server.ts";
import type { ListKind } from "./list-cache.ts";
import { Announcements, gatherLists } from "./list-cache.ts";
import { isAllowed, type ServerEntry } from "./read-servers.ts";
import { ResourceRoutes, ServerQuestions } from "./resource-routes.ts";
import { joinName, ToolShelf } from "./tool-shelf.ts";

/** Clients give up after 10 s for opening and listing; servers that start later are announced. */
const LIST_WAIT_MS = 8000;

const CHANGED: Readonly<Record<string, readonly ListKind[]>> = {
  "notifications/tools/list_changed": ["tools"],
  "notifications/prompts/list_changed": ["prompts"],
  "notifications/resources/list_changed": ["resources", "resourceTemplates"],
};

export interface ServersLinkOptions extends Pick<LazyServerOptions, "cache"> {
  readonly entries: readonly ServerEntry[];
  readonly openSession: (
    entry: ServerEntry,
    ...rest: Parameters<LazyServerOptions["openSession"]>
  ) => ReturnType<LazyServerOptions["openSession"]>;
  /** Shows all tools, or two to find and call them. */
  readonly tools: "all" | "lazy";
  /** Whole names of tools that `lazy` shows nevertheless. */
  readonly pin: readonly string[];
  readonly report: Report;
}

/** Several servers that look like one, of the handshake eras: whoever holds the link need not know. */
export class ServersLink implements Link {
  readonly #options: ServersLinkOptions;
  readonly #events: LinkEvents;
  readonly #shelf: ToolShelf;
  readonly #lazy: LazyTools | undefined;
  readonly #resources: ResourceRoutes;
  readonly #questions = new ServerQuestions();
  /** The client's requests that servers have not answered. */
  readonly #calls = new Map<RequestId, LazyServer>();
  readonly #announcements: Announcements;
  #initialize: JsonObject = {};
  #level: JsonObject | undefined;

  constructor(options: ServersLinkOptions, events: LinkEvents) {
    this.#options = options;
    this.#events = events;
    this.#announcements = new Announcements((message) => this.#send(message), options.report);
    this.#shelf = new ToolShelf(options.entries.map((entry) => this.#createServer(entry)));
    this.#lazy = options.tools === "lazy" ? new LazyTools(this.#shelf, options.pin) : undefined;
    this.#resources = new ResourceRoutes(this.#shelf.servers);
  }

  async send({ message }: Frame): Promise<void> {
    if (isRequest(message)) void this.#requested(message).catch((error: Error) => this.#fail(message, error.message));
    else if (isResponse(message)) {
      const answer = this.#questions.answer(message);
      if (answer) void answer.server.pass(answer.message).catch(() => {});
    } else this.#notified(message);
  }

  async close(): Promise<void> {
    this.#announcements.close();
    await Promise.all(this.#shelf.servers.map((server) => server.close()));
    this.#events.onDown("closed");
  }

  #createServer(entry: ServerEntry): LazyServer {
    const { cache, openSession } = this.#options;
    const server: LazyServer = new LazyServer(entry, {
      cache,
      openSession: (client, onFatal) => openSession(entry, client, onFatal),
      initialize: () => this.#initialize,
      onOpen: () => {
        if (this.#level && server.can("logging")) void server.request("logging/setLevel", this.#level).catch(() => {});
      },
      port: {
        send: (frame) => this.#said(server, frame),
        sendLarge: (message) => this.#saidLarge(server, message),
      },
      onChanged: (kinds) => this.#announcements.changed(kinds),
    });
    return server;
  }

  async #requested(request: RpcRequest): Promise<void> {
    const { id, method, params = {} } = request;
    switch (method) {
      case "initialize":
        this.#initialize = params;
        // With tool search, instructions come with the found tools.
        return this.#answer(id, await describeServers(params.protocolVersion, this.#lazy ? [] : this.#shelf.servers));
      case "ping":
        return this.#answer(id, {});
      case "logging/setLevel":
        this.#level = params;
        for (const server of this.#shelf.servers)
          if (server.running && server.can("logging")) void server.request(method, params).catch(() => {});
        return this.#answer(id, {});
      case "tools/list":
        return this.#answer(id, { tools: await this.#listTools() });
      case "prompts/list":
        return this.#answer(id, await this.#list("prompts"));
      case "resources/list":
        return this.#answer(id, await this.#list("resources"));
      case "resources/templates/list":
        return this.#answer(id, await this.#list("resourceTemplates"));
      case "tools/call":
        return this.#call(request, String(params.name), fieldsOf(params.arguments));
      case "prompts/get":
        return this.#byName(request, String(params.name), (name) => ({ ...params, name }));
      case "resources/read":
      case "resources/subscribe":
      case "resources/unsubscribe":
        return this.#byAddress(request, String(params.uri), (uri) => ({ ...params, uri }));
      case "completion/complete": {
        const ref = fieldsOf(params.ref);
        if (ref.type === "ref/prompt")
          return this.#byName(request, String(ref.name), (name) => ({ ...params, ref: { ...ref, name } }));
        return this.#byAddress(request, String(ref.uri), (uri) => ({ ...params, ref: { ...ref, uri } }));
      }
      default:
        this.#send(createError(id, METHOD_NOT_FOUND, `Method not found: ${method}`));
    }
  }

  async #listTools(): Promise<readonly JsonObject[]> {
    const onLate = (): void => this.#announcements.changed(["tools"]);
    const servers = this.#lazy ? this.#lazy.pinnedServers : this.#shelf.servers;
    const { tools, missing } = await this.#shelf.all({ live: true, waitMs: LIST_WAIT_MS, onLate }, servers);
    this.#announcements.missing(missing);
    const lazy = this.#lazy;
    if (!lazy) return tools.map(({ definition }) => definition);
    return [...lazy.define(), ...tools.filter(({ name }) => lazy.isPinned(name)).map(({ definition }) => definition)];
  }

  async #list(kind: Exclude<ListKind, "tools">): Promise<JsonObject> {
    const onLate = (): void => this.#announcements.changed([kind]);
    const options = { live: true, waitMs: LIST_WAIT_MS, onLate };
    const { lists, missing } = await gatherLists(this.#shelf.servers, kind, options);
    this.#announcements.missing(missing);
    return { [kind]: lists.flatMap(({ server, entries }) => this.#show(kind, server, entries)) };
  }

  /** A server's entries as the client may name them; where its resources are is noted. */
  #show(kind: Exclude<ListKind, "tools">, server: LazyServer, entries: readonly JsonObject[]): readonly JsonObject[] {
    if (kind === "resources") return this.#resources.list(server, entries);
    if (kind === "resourceTemplates") return this.#resources.listTemplates(server, entries);
    return entries.map((prompt) => ({ ...prompt, name: joinName(server, String(prompt.name)) }));
  }

  async #call(request: RpcRequest, name: string, args: JsonObject): Promise<void> {
    if (this.#lazy && name === FIND_TOOLS) return this.#answer(request.id, await this.#lazy.find(args));
    const called = this.#lazy && name === CALL_TOOL ? readCall(args) : { name, arguments: args };
    if (!called)
      return this.#refuse(request.id, `${CALL_TOOL} takes name (a text) and arguments (an object that fits the tool).`);
    const found = this.#shelf.find(called.name);
    if (found && !isAllowed(found.server.entry, found.name))
      return this.#refuse(request.id, `The tool ${called.name} is denied by the entry of ${found.server.name}.`);
    const unknown = await this.#lazy?.unknown(called.name);
    if (unknown !== undefined) return this.#refuse(request.id, unknown);
    if (!found) {
      this.#send(createError(request.id, INVALID_PARAMS, `Unknown tool: ${called.name}`));
      return;
    }
    const params = { ...request.params, name: found.name, arguments: called.arguments };
    await this.#forward(found.server, { ...request, params });
  }

  #byName(request: RpcRequest, name: string, params: (name: string) => JsonObject): Promise<void> {
    const found = this.#shelf.find(name);
    if (found) return this.#forward(found.server, { ...request, params: params(found.name) });
    this.#send(createError(request.id, INVALID_PARAMS, `Unknown prompt: ${name}`));
    return Promise.resolve();
  }

  async #byAddress(request: RpcRequest, address: string, params: (uri: string) => JsonObject): Promise<void> {
    if (!this.#resources.find(address))
      for (const kind of ["resources", "resourceTemplates"] as const) {
        const { lists } = await gatherLists(this.#shelf.servers, kind, { live: false, waitMs: LIST_WAIT_MS });
        for (const { server, entries } of lists) this.#show(kind, server, entries);
      }
    const found = this.#resources.find(address);
    if (found) return this.#forward(found.server, { ...request, params: params(found.uri) });
    // Servers may have more than they list.
    for (const server of this.#shelf.servers.filter((each) => each.running && each.can("resources")))
      try {
        return this.#answer(request.id, await server.request(request.method, params(address)));
      } catch {}
    this.#send(createError(request.id, RESOURCE_NOT_FOUND, `No server has ${address}`, { uri: address }));
  }

  async #forward(server: LazyServer, request: RpcRequest): Promise<void> {
    this.#calls.set(request.id, server);
    try {
      await server.pass(request, () => this.#calls.get(request.id) === server);
    } catch (error) {
      this.#calls.delete(request.id);
      this.#announcements.missing([{ server, reason: (error as Error).message }]);
      const reason = `The server ${server.name} is not available: ${(error as Error).message}. Other servers are not affected.`;
      if (request.method === "tools/call") this.#refuse(request.id, reason);
      else this.#fail(request, reason);
    }
  }

  #notified(message: RpcMessage): void {
    const pass = (server: LazyServer, said: RpcMessage): void => void server.pass(said).catch(() => {});
    if (message.method === "notifications/cancelled") {
      const id = message.params?.requestId as RequestId;
      const server = this.#calls.get(id);
      this.#calls.delete(id);
      if (server?.running) pass(server, message);
    } else if (message.method === "notifications/progress") {
      const progress = this.#questions.progress(message);
      if (progress) pass(progress.server, progress.message);
    } else if (message.method !== "notifications/initialized")
      for (const server of this.#shelf.servers) if (server.running) pass(server, message);
  }

  /** A server says something. */
  #said(server: LazyServer, frame: Frame): void {
    const { message } = frame;
    if (isResponse(message)) {
      if (!this.#calls.delete(message.id)) return;
      if (message.result) this.#resources.note(server, message.result);
      this.#events.onFrame(frame);
    } else if (isRequest(message)) this.#send(this.#questions.ask(server, message));
    else if (message.method !== undefined && CHANGED[message.method]) void server.changed(CHANGED[message.method]!);
    else if (message.method === "notifications/cancelled") {
      const cancelled = this.#questions.cancel(server, message);
      if (cancelled) this.#send(cancelled);
    } else if (message.method === "notifications/message") {
      const { logger } = message.params ?? {};
      const named = typeof logger === "string" ? `${server.name}/${logger}` : server.name;
      this.#send({ ...message, params: { ...message.params, logger: named } });
    } else this.#events.onFrame(frame);
  }

  /** Hands a large message on; settles when it is done with. */
  #saidLarge(server: LazyServer, message: LargeMessage): Promise<void> {
    const { id, method } = message.header;
    if (method !== undefined) return message.parse().then((parsed) => this.#said(server, { message: parsed }));
    if (id === undefined || !this.#calls.delete(id)) return Promise.resolve();
    return new Promise((resolve) => {
      const handed: LargeMessage = {
        header: message.header,
        bound: (request) => message.bound(request),
        read: () => message.read(),
        parse: () => message.parse(),
        discard: async () => resolve(),
      };
      this.#events.onLarge({ kind: "message", message: handed });
    });
  }

  #answer(id: RequestId, result: JsonObject): void {
    this.#send(createResult(id, result));
  }

  /** An error that the model gets to read. */
  #refuse(id: RequestId, text: string): void {
    this.#answer(id, renderMcpError(text));
  }

  #fail(request: RpcRequest, reason: string): void {
    this.#send(createError(request.id, INTERNAL_ERROR, reason));
  }

  #send(message: RpcMessage): void {
    this.#events.onFrame({ message });
  }
}
