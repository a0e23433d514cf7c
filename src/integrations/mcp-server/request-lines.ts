import { PassThrough, type Readable } from "node:stream";
import { JsonScanner } from "../../bytes/json/json-scanner.ts";
import { parseJson } from "../../bytes/json/parse-json.ts";
import { LineFrames } from "../../bytes/line-frames.ts";
import { formatCount } from "../../preview/omission.ts";
import { createError, INVALID_REQUEST, type RequestId, type RpcMessage } from "../mcp-shared/json-rpc.ts";

export const MAX_REQUEST_BYTES = 10 * 1024 * 1024;
/** A string that is longer is no id. */
const MAX_ID_BYTES = 4096;

/**
 * The lines of `input` as they came, except those that are too large: these are never held, and a request among them is
 * answered with an error.
 */
export function boundRequestLines(input: Readable, answer: (message: RpcMessage) => void): Readable {
  const lines = new PassThrough();
  const frames = new LineFrames({
    largeBytes: MAX_REQUEST_BYTES,
    onLine: (line) => {
      if (!lines.write(Buffer.concat([line, Buffer.from("\n")]))) input.pause();
    },
    openLarge: () => {
      const scanner = new JsonScanner({ longStringBytes: MAX_ID_BYTES, maxSkeletonBytes: 0, token: String });
      return {
        write: (chunk) => void scanner.write(Buffer.from(chunk)),
        end: () => {
          const { id, method, bytes } = scanner.finish();
          if (method !== undefined && id === undefined) return;
          const words = `The message has ${formatCount(bytes)} bytes; at most ${formatCount(MAX_REQUEST_BYTES)} are read`;
          answer(createError(parseId(id), INVALID_REQUEST, words));
        },
        abort: () => {},
      };
    },
  });
  lines.on("drain", () => input.resume());
  input.on("data", (chunk: Buffer) => void frames.push(chunk));
  input.once("end", () => lines.end());
  input.once("close", () => lines.end());
  return lines;
}

/** Null stands for an id that cannot be told, as JSON-RPC has it. */
function parseId(raw: string | undefined): RequestId {
  const id = parseJson(raw);
  return typeof id === "string" || typeof id === "number" ? id : (null as unknown as RequestId);
}
