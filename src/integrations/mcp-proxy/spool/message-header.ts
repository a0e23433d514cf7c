import type { JsonScan } from "../../../bytes/json/json-scanner.ts";
import { parseJson } from "../../../bytes/json/parse-json.ts";
import type { RequestId } from "../../mcp-shared/json-rpc.ts";

/** What is known of a large message without parsing it. */
export interface MessageHeader {
  readonly id: RequestId | undefined;
  readonly method: string | undefined;
}

/** The id and method of a scanned message; undefined when it is no JSON object at all. */
export function readHeader(scan: JsonScan): MessageHeader | undefined {
  if (!scan.balanced) return undefined;
  const id = parseJson(scan.id);
  const method = parseJson(scan.method);
  return {
    id: typeof id === "string" || typeof id === "number" ? id : undefined,
    method: typeof method === "string" ? method : undefined,
  };
}

const KEPT_BYTES = 512;
const STRING = String.raw`"(?:[^"\\]|\\.)*"`;
const ID = String.raw`"id"\s*:\s*(${STRING}|-?\d+)\s*`;
const VERSION = String.raw`"jsonrpc"\s*:\s*"2\.0"\s*`;
const AT_START = new RegExp(String.raw`^\s*\{\s*(?:${VERSION},\s*)?${ID},`);
const METHOD = new RegExp(String.raw`^\s*\{\s*(?:${VERSION},\s*)?(?:${ID},\s*)?"method"\s*:\s*(${STRING})`);
const AT_END = new RegExp(String.raw`${ID}(?:,\s*${VERSION})?\}\s*$`);

/** The first and the last bytes of a message that goes by: where its method and id are, as most write them. */
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

  /** As much of the header as stands in what was seen; an incomplete message has no end yet. */
  readHeader(complete: boolean): MessageHeader {
    const kept = Math.min(this.#bytes, KEPT_BYTES);
    const head = this.#head.toString("utf8", 0, kept);
    const tail = complete ? this.#tail.toString("utf8", KEPT_BYTES - kept) : "";
    const id = AT_START.exec(head)?.[1] ?? AT_END.exec(tail)?.[1];
    return {
      id: parseJson(id) as RequestId | undefined,
      method: parseJson(METHOD.exec(head)?.[2]) as string | undefined,
    };
  }
}
