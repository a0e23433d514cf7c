import { JsonScanner } from "../../../bytes/json/json-scanner.ts";
import type { Spillway } from "../../../gate/types.ts";
import { boundMessage } from "../message/bound-message.ts";
import { readHeader } from "./message-header.ts";
import { type LargeArrival, parseAll, type Spool } from "./spool.ts";

/** Only the id and the method are looked for. */
const SCAN = { longStringBytes: 1024, maxSkeletonBytes: 0, token: () => "" };

/** A spool that keeps large messages in memory, for secrets that must not touch a disk before they are taken out. */
export function createMemorySpool(spillway: Spillway, maxMessageBytes: number): Spool {
  return {
    open(onArrival) {
      const scanner = new JsonScanner(SCAN);
      let parts: Uint8Array[] = [];
      let bytes = 0;
      return {
        write(chunk) {
          scanner.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
          bytes += chunk.length;
          if (bytes > maxMessageBytes) parts = [];
          else parts.push(Uint8Array.from(chunk));
          return undefined;
        },
        end: () => onArrival(arrive(scanner, parts, bytes)),
        abort: () => {
          parts = [];
        },
      };
    },
    close: async () => {},
  };

  function arrive(scanner: JsonScanner, parts: readonly Uint8Array[], bytes: number): LargeArrival {
    const header = readHeader(scanner.finish());
    if (bytes > maxMessageBytes)
      return { kind: "refused", header, bytes, reason: `it is larger than the limit of ${maxMessageBytes} bytes` };
    if (header === undefined) return { kind: "garbage", bytes };
    const read = async function* (): AsyncGenerator<Uint8Array> {
      yield* parts;
    };
    const parse = () => parseAll(read());
    return {
      kind: "message",
      message: {
        header,
        bound: async (request) => boundMessage(await parse(), request, spillway),
        read,
        parse,
        discard: async () => {},
      },
    };
  }
}
