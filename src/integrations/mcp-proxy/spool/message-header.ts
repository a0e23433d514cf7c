import type { JsonScan } from "../../../bytes/json/json-scanner.ts";
import type { RequestId } from "../../mcp-shared/json-rpc.ts";

/** What is known of a large message without parsing it. */
export interface MessageHeader {
  readonly bytes: number;
  readonly id: RequestId | undefined;
  readonly method: string | undefined;
}

/** The id and method of a scanned message; undefined when it is no JSON object at all. */
export function readHeader(scan: JsonScan): MessageHeader | undefined {
  if (!scan.balanced) return undefined;
  const id = parseScalar(scan.id);
  const method = parseScalar(scan.method);
  return {
    bytes: scan.bytes,
    id: typeof id === "string" || typeof id === "number" ? id : undefined,
    method: typeof method === "string" ? method : undefined,
  };
}

/** The value of raw JSON; undefined when it is none. */
export function parseScalar(raw: string | undefined): unknown {
  if (raw === undefined) return undefined;
  try {
    return JSON.parse(raw);
  } catch {
    return undefined;
  }
}
