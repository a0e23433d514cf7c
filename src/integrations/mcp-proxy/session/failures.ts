import { INTERNAL_ERROR, INVALID_REQUEST, isRequest, type RpcMessage } from "../../mcp-shared/json-rpc.ts";
import type { Report } from "../link/link.ts";
import type { MessageHeader } from "../spool/message-header.ts";
import type { LargeArrival } from "../spool/spool.ts";
import type { ClientAnswers } from "./client-answers.ts";
import { asksForLogin } from "./handshake.ts";
import type { PendingRequests } from "./pending-requests.ts";

/** Messages that did not get through: whoever waits for one is told, and so are people. */
export class Failures {
  readonly #pending: PendingRequests;
  readonly #answers: ClientAnswers;
  readonly #report: Report;

  constructor(pending: PendingRequests, answers: ClientAnswers, report: Report) {
    this.#pending = pending;
    this.#answers = answers;
    this.#report = report;
  }

  /** A large message of the upstream was not taken. */
  refuse(arrival: Exclude<LargeArrival, { kind: "message" }>): void {
    if (arrival.kind === "lost") {
      this.#report(`a large message was lost: ${arrival.reason}`);
      for (const { id } of arrival.expected)
        if (this.#pending.get(id))
          this.#answers.fail(id, INTERNAL_ERROR, `The answer was lost: ${arrival.reason}. The call can be repeated.`);
      return;
    }
    if (arrival.kind === "garbage") {
      this.#report(`a line of ${arrival.bytes} bytes is not JSON-RPC, skipped`);
      return;
    }
    const reason = `The server's answer of ${arrival.bytes} bytes was refused: ${arrival.reason}`;
    const id = arrival.header?.id;
    if (arrival.bytes > 0) this.#report(reason);
    if (id === undefined || arrival.header?.method !== undefined || !this.#pending.get(id)) return;
    this.#answers.fail(
      id,
      INTERNAL_ERROR,
      arrival.bytes > 0 ? `${reason}. Ask for less.` : `No answer: ${arrival.reason}`,
    );
  }

  /** A message of the upstream could not be passed on. */
  notPassed({ id, method }: Partial<Pick<MessageHeader, "id" | "method">>, error: unknown): void {
    const reason = (error as Error).message;
    if (method === undefined && id !== undefined && this.#pending.get(id))
      this.#answers.fail(id, INTERNAL_ERROR, reason);
    else this.#report(reason);
  }

  /** A large message of the client was not taken. */
  refuseClient(header: MessageHeader | undefined, reason: string): void {
    this.#report(reason);
    if (header?.id !== undefined && header.method !== undefined) this.#answers.fail(header.id, INVALID_REQUEST, reason);
  }

  /** A message could not be sent to the upstream. */
  sendFailed(message: RpcMessage, error: unknown): void {
    const reason = (error as Error).message;
    const pending = isRequest(message) ? this.#pending.get(message.id) : undefined;
    if (pending) this.#answers.failUnanswered(pending, reason, !asksForLogin(error));
    else this.#report(reason);
  }

  /** The upstream went down. */
  failAll(reason: string): void {
    for (const pending of this.#pending.all()) this.#answers.failUnanswered(pending, reason, true);
  }
}
