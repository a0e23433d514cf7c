import type { RequestId } from "../../mcp-shared/json-rpc.ts";

const KEPT_BYTES = 512;
const ID = String.raw`"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*`;
const VERSION = String.raw`"jsonrpc"\s*:\s*"2\.0"\s*`;
const AT_START = new RegExp(String.raw`^\s*\{\s*(?:${VERSION},\s*)?${ID},`);
const AT_END = new RegExp(String.raw`${ID}(?:,\s*${VERSION})?\}\s*$`);

/** The first and the last bytes of a message that goes by: where servers write its id. */
export class MessageEnds {
  readonly #head = Buffer.alloc(KEPT_BYTES);
  readonly #tail = Buffer.alloc(KEPT_BYTES);
  #bytes = 0;

  write(chunk: Uint8Array): void {
    if (this.#bytes < KEPT_BYTES) this.#head.set(chunk.subarray(0, KEPT_BYTES - this.#bytes), this.#bytes);
    const last = chunk.subarray(-KEPT_BYTES);
    this.#tail.copyWithin(0, last.length);
    this.#tail.set(last, KEPT_BYTES - last.length);
    this.#bytes += chunk.length;
  }

  /** The message's id, when it stands in what was seen; an incomplete message has no end yet. */
  findId(complete: boolean): RequestId | undefined {
    const kept = Math.min(this.#bytes, KEPT_BYTES);
    const found =
      AT_START.exec(this.#head.toString("utf8", 0, kept)) ??
      (complete && AT_END.exec(this.#tail.toString("utf8", KEPT_BYTES - kept)));
    return found ? (JSON.parse(found[1]!) as RequestId) : undefined;
  }
}
