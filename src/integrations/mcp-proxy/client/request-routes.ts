import { isRequest, type RequestId, type RpcMessage, readMeta } from "../../mcp-shared/json-rpc.ts";

/** Which open request of the client a message of the server belongs to, so that it goes out on that request's stream. */
export class RequestRoutes {
  readonly #tokens = new Map<unknown, RequestId>();
  #calls: RequestId[] = [];

  note(message: RpcMessage): void {
    // A cancelled request gets no answer, and nothing more on its stream.
    if (message.method === "notifications/cancelled") this.#forget(message.params?.requestId);
    if (!isRequest(message)) return;
    this.#calls.push(message.id);
    const { progressToken } = readMeta(message.params);
    if (progressToken !== undefined) this.#tokens.set(progressToken, message.id);
  }

  optionsFor(message: RpcMessage): { relatedRequestId?: RequestId } {
    if (message.method === undefined) {
      this.#forget(message.id);
      return {};
    }
    const byToken =
      message.method === "notifications/progress" ? this.#tokens.get(message.params?.progressToken) : undefined;
    // A question or log line during a call belongs to that call; lists that change belong to nobody.
    const related =
      byToken ??
      (message.method.endsWith("list_changed") || message.method.endsWith("/updated") ? undefined : this.#calls.at(-1));
    return related === undefined ? {} : { relatedRequestId: related };
  }

  #forget(request: unknown): void {
    this.#calls = this.#calls.filter((id) => id !== request);
    for (const [token, id] of this.#tokens) if (id === request) this.#tokens.delete(token);
  }
}
