import { isObject } from "../../../bytes/json/is-object.ts";
import { remember } from "../../../bytes/remember.ts";
import { type JsonObject, type RequestId, type RpcMessage, readMeta } from "../../mcp-shared/json-rpc.ts";
import type { LazyServer } from "./lazy-server.ts";

interface Asked {
  readonly server: LazyServer;
  readonly id: RequestId;
  readonly progressToken: unknown;
}

/** Requests of several servers to one client: each gets an id, and a token for its progress, that no other has. */
export class ServerQuestions {
  readonly #asked = new Map<RequestId, Asked>();
  #count = 0;

  /** The request as the client may see it. */
  ask(server: LazyServer, message: RpcMessage & { id: RequestId }): RpcMessage {
    const id = `${server.name}-${++this.#count}`;
    const meta = readMeta(message.params);
    const { progressToken } = meta;
    this.#asked.set(id, { server, id: message.id, progressToken });
    if (progressToken === undefined) return { ...message, id };
    return { ...message, id, params: { ...message.params, _meta: { ...meta, progressToken: id } } };
  }

  /** The client's answer as its server knows it. */
  answer(
    message: RpcMessage & { id: RequestId },
  ): { readonly server: LazyServer; readonly message: RpcMessage } | undefined {
    const asked = this.#asked.get(message.id);
    this.#asked.delete(message.id);
    return asked && { server: asked.server, message: { ...message, id: asked.id } };
  }

  /** The client's word on how far it is, as its server knows it. */
  progress(message: RpcMessage): { readonly server: LazyServer; readonly message: RpcMessage } | undefined {
    const asked = this.#asked.get(String(message.params?.progressToken));
    if (!asked) return undefined;
    const params = { ...message.params, progressToken: asked.progressToken };
    return { server: asked.server, message: { ...message, params } };
  }

  /** A server takes a request back: the same as the client knows it. */
  cancel(server: LazyServer, message: RpcMessage): RpcMessage | undefined {
    const requestId = isObject(message.params) ? message.params.requestId : undefined;
    for (const [id, asked] of this.#asked) {
      if (asked.server !== server || asked.id !== requestId) continue;
      this.#asked.delete(id);
      return { ...message, params: { ...message.params, requestId: id } };
    }
    return undefined;
  }
}

/** A resource whose URI another server also has. */
const ALIAS = "spillway://server/";
/** Addresses named in results that are remembered. */
const MOST_SEEN = 2000;

/** Knows which server a resource belongs to: addresses stay as they are, unless two servers have the same. */
export class ResourceRoutes {
  readonly #servers: readonly LazyServer[];
  readonly #owners = new Map<string, LazyServer>();
  readonly #templates = new Map<string, LazyServer>();
  readonly #seen = new Map<string, LazyServer>();

  constructor(servers: readonly LazyServer[]) {
    this.#servers = servers;
  }

  /** The server's resources as the client may name them. */
  list(server: LazyServer, resources: readonly JsonObject[]): readonly JsonObject[] {
    for (const [uri, owner] of this.#owners) if (owner === server) this.#owners.delete(uri);
    return resources.map((resource) => {
      const uri = String(resource.uri);
      const owner = this.#owners.get(uri);
      if (owner && owner !== server) return { ...resource, uri: aliasOf(server, uri) };
      this.#owners.set(uri, server);
      return resource;
    });
  }

  listTemplates(server: LazyServer, templates: readonly JsonObject[]): readonly JsonObject[] {
    for (const { uriTemplate } of templates) {
      const template = String(uriTemplate);
      if (!this.#templates.has(template)) this.#templates.set(template, server);
    }
    return templates;
  }

  /** Takes note of addresses that a result names. */
  note(server: LazyServer, result: JsonObject): void {
    const blocks: unknown[] = Array.isArray(result.content) ? result.content : [];
    for (const block of blocks) {
      if (!isObject(block)) continue;
      const uri =
        block.type === "resource_link" ? block.uri : isObject(block.resource) ? block.resource.uri : undefined;
      if (typeof uri === "string") remember(this.#seen, uri, server, MOST_SEEN);
    }
  }

  /** The server of a URI, and the server's own name for it; undefined if unknown. */
  find(uri: string): { readonly server: LazyServer; readonly uri: string } | undefined {
    if (uri.startsWith(ALIAS)) {
      const [name = "", rest = ""] = uri.slice(ALIAS.length).split("/", 2);
      const server = this.#servers.find((each) => each.name === name);
      return server && { server, uri: decodeURIComponent(rest) };
    }
    const server = this.#owners.get(uri) ?? this.#seen.get(uri) ?? this.#templates.get(uri) ?? this.#byTemplate(uri);
    return server && { server, uri };
  }

  #byTemplate(uri: string): LazyServer | undefined {
    for (const [template, server] of this.#templates) if (fits(uri, template)) return server;
    return undefined;
  }
}

function aliasOf(server: LazyServer, uri: string): string {
  return `${ALIAS}${server.name}/${encodeURIComponent(uri)}`;
}

/** True if a URI may come from a URI template; expressions match any characters. */
function fits(uri: string, template: string): boolean {
  const pattern = template.split(/\{[^}]*\}/).map((literal) => literal.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return pattern.length > 1 && new RegExp(`^${pattern.join(".*")}$`, "s").test(uri);
}
