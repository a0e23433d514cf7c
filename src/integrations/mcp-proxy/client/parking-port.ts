import { createResult, type Frame, isResponse, type JsonObject, type RequestId } from "../../mcp-shared/json-rpc.ts";
import type { LargeMessage } from "../spool/spool.ts";
import type { ClientPort } from "./client-port.ts";

/**
 * The way back to a client whose requests may be put off: a request that was answered with a question gets its real
 * answer, whenever that comes, under the id by which the client goes on with it.
 */
export class ParkingPort implements ClientPort {
  readonly #port: ClientPort;
  /** Requests put off, with the answers that came meanwhile. */
  readonly #parked = new Map<RequestId, Frame | undefined>();

  constructor(port: ClientPort) {
    this.#port = port;
  }

  send(frame: Frame): void {
    const { message } = frame;
    if (!isResponse(message) || !this.#parked.has(message.id)) this.#port.send(frame);
    else if (!this.#parked.get(message.id)) this.#parked.set(message.id, frame);
  }

  sendLarge(message: LargeMessage): Promise<void> {
    return this.#port.sendLarge(message);
  }

  closeStream(id: RequestId): void {
    this.#port.closeStream?.(id);
  }

  /** Answers a request for the time being. */
  park(id: RequestId, result: JsonObject): void {
    this.#port.send({ message: createResult(id, result) });
    this.#parked.set(id, undefined);
  }

  /** The client goes on with a parked request under another id, which may itself be parked already. */
  resume(parked: RequestId, id: RequestId): void {
    const frame = this.#parked.get(parked);
    this.#parked.delete(parked);
    if (frame) this.send({ message: { ...frame.message, id } });
  }
}
