import { isObject } from "../../../bytes/json/is-object.ts";
import { type RequestId, type RpcMessage, readMeta } from "../../mcp-shared/json-rpc.ts";
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
