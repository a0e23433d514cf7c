import type { RequestId } from "../../mcp-shared/json-rpc.ts";

const KEPT_BYTES = 512;
const ID = String.raw`"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*`;
const VERSION = String.raw`"jsonrpc"\s*:\s*"2\.0"\s*`;
const AT_START = new RegExp(String.raw`^\s*\{\s*(?:${VERSION},\s*)?${ID},`);
const AT_END = new RegExp(String.raw`${ID}(?:,\s*${VERSION})?\}\s*$`);

/** The first and the last bytes of a message that goes by: where servers write its id. */
export class MessageEnds {
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);

  write(chunk: Uint8Array): void {
    const missing = KEPT_BYTES - this.#head.length;
    if (missing > 0) this.#head = Buffer.concat([this.#head, chunk.subarray(0, missing)]);
    this.#tail = Buffer.from(Buffer.concat([this.#tail, chunk.subarray(-KEPT_BYTES)]).subarray(-KEPT_BYTES));
  }

  /** The message's id, when it stands in what was seen; an incomplete message has no end yet. */
  findId(complete: boolean): RequestId | undefined {
    const found = AT_START.exec(this.#head.toString("utf8")) ?? (complete && AT_END.exec(this.#tail.toString("utf8")));
    return found ? (JSON.parse(found[1]!) as RequestId) : undefined;
  }
}
