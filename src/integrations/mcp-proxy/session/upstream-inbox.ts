import { isObject } from "../../../bytes/json/is-object.ts";
import type { Spillway } from "../../../gate/types.ts";
import { type Frame, INTERNAL_ERROR, isRequest, isResponse, type RequestId } from "../../mcp-shared/json-rpc.ts";
import type { ClientPort } from "../client/client-port.ts";
import type { LargeArrival, LargeMessage } from "../spool/spool.ts";
import type { AnswerBounder, ClientAnswers } from "./client-answers.ts";
import type { Handshake } from "./handshake.ts";
import type { OwnRequests } from "./own-offer.ts";
import type { Failures, PendingRequest, PendingRequests } from "./pending-requests.ts";
import type { MessageProtection } from "./session.ts";
import type { ToolCatalog } from "./tool-catalog.ts";

/** The parts of a session that handle messages of its upstream. */
export interface InboxParts {
  readonly spillway: Spillway;
  readonly protection: MessageProtection | undefined;
  readonly client: ClientPort;
  readonly catalog: ToolCatalog;
  readonly own: OwnRequests;
  readonly handshake: Handshake;
  readonly bounder: AnswerBounder;
  readonly answers: ClientAnswers;
  readonly failures: Failures;
  readonly pending: PendingRequests;
}

/** Receives the upstream's messages in order, and passes each to its handler. */
export class UpstreamInbox {
  /** Requests of the upstream that the client has not answered. */
  readonly asked = new Set<RequestId>();
  readonly #parts: InboxParts;
  #last: Promise<void> = Promise.resolve();

  constructor(parts: InboxParts) {
    this.#parts = parts;
  }

  /** `isAlone` for a message that no other has to wait for. */
  receive(frame: Frame, isAlone = false): void {
    const { own, failures, protection } = this.#parts;
    // The queue may be waiting for one of the proxy's own requests.
    if (own.settle(frame.message)) return;
    const passed = (taken: Promise<void>) => taken.catch((error: unknown) => failures.notPassed(frame.message, error));
    if (protection === undefined) {
      this.#last = passed(this.#last.then(() => this.#take(frame)));
      return;
    }
    const safe = protection.toClient(frame);
    const take = () => this.#last.then(async () => this.#take(await safe));
    // A large answer keeps no other one waiting, neither while it is redacted nor while it is bounded.
    if (isAlone) void passed(safe.then((redacted) => this.#take(redacted)));
    else if (isResponse(frame.message)) {
      void passed(
        safe.then(() => {
          this.#last = passed(take());
        }),
      );
    } else this.#last = passed(take());
  }

  async receiveLarge(arrival: LargeArrival): Promise<void> {
    const { failures } = this.#parts;
    if (arrival.kind !== "message") {
      failures.refuse(arrival);
      return;
    }
    const { message } = arrival;
    const { id, method } = message.header;
    try {
      if (method !== undefined) await this.#saidLarge(message);
      else if (id !== undefined) await this.#answeredLarge(id, message);
    } catch (error) {
      failures.notPassed(message.header, error);
    } finally {
      await message.discard();
    }
  }

  async #take(frame: Frame): Promise<void> {
    const { spillway, pending, handshake, catalog, client } = this.#parts;
    const asked = pending.get(frame.message.id ?? "");
    // Counted when it is bounded.
    if (frame.redacted && !(asked?.bounded && isResponse(frame.message)))
      spillway.noteRedacted(asked?.tool ?? frame.message.method ?? "proxy", frame.redacted);
    const { translator } = handshake;
    const message = translator ? translator.fromUpstream(frame.message) : frame.message;
    if (!message) return;
    const same = message === frame.message;
    if (isResponse(message))
      await this.#answered(same ? frame : { message, ...(frame.redacted && { redacted: frame.redacted }) });
    else {
      if (isRequest(message)) this.asked.add(message.id);
      if (message.method === "notifications/tools/list_changed") catalog.expire();
      client.send(same ? frame : { message });
    }
  }

  async #answered(frame: Frame): Promise<void> {
    const { answers, handshake, bounder } = this.#parts;
    const { message } = frame;
    const upstreamId = message.id!;
    const pending = this.#parts.pending.get(upstreamId);
    // Not requested, or cancelled: nobody waits for it, and it must not pass unbounded.
    if (!pending) return;
    if (!isObject(message.result) && !isObject(message.error)) {
      answers.fail(upstreamId, INTERNAL_ERROR, "The server sent a malformed response");
      return;
    }
    if (pending.method === "initialize" || pending.method === "server/discover") {
      await handshake.answered(pending.method, message);
      if (handshake.translator) return;
    }
    if (pending.bounded) {
      const bound = () => bounder.bound(frame, pending);
      const bounded = await (pending.observed ? pending.observed.run(bound) : bound());
      await answers.deliverBounded(upstreamId, frame, bounded);
    } else await answers.deliver(upstreamId, frame, message);
  }

  /** A large question or notification of the upstream. */
  async #saidLarge(message: LargeMessage): Promise<void> {
    const { handshake, protection, client } = this.#parts;
    if (handshake.translator || protection) return this.receive({ message: await message.parse() });
    if (message.header.id !== undefined) this.asked.add(message.header.id);
    await client.sendLarge(message);
  }

  async #answeredLarge(id: RequestId, message: LargeMessage): Promise<void> {
    const { protection, own, bounder, handshake, answers, client, pending } = this.#parts;
    const asked = pending.get(id);
    if (protection) {
      this.receive({ message: await message.parse() }, asked?.bounded === true);
    } else if (!asked) {
      if (own.has(id)) own.settle(await message.parse());
    } else if (asked.bounded) {
      const bounded = await bounder.boundLarge(message, asked);
      const { translator } = handshake;
      const shown = translator ? translator.fromUpstream(bounded.message) : bounded.message;
      if (shown) await answers.deliverBounded(id, { message: shown }, { ...bounded, message: shown });
    } else if (this.#passesAsItIs(asked)) {
      pending.take(id, {});
      await client.sendLarge(message);
    } else this.receive({ message: await message.parse() });
  }

  #passesAsItIs({ method, clientId, upstreamId }: PendingRequest): boolean {
    const listed = method.endsWith("/list") || method === "initialize" || method === "server/discover";
    return !listed && clientId === upstreamId && !this.#parts.handshake.translator;
  }
}
