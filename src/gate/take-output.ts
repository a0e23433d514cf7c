import { inspect } from "node:util";
import { ownValue } from "../bytes/own-value.ts";
import { invalidArgument, messageOf, type SpillwayError } from "../errors.ts";
import type { FileOutput, GateOptions, Output, PlainOutput, ResponseOutput } from "./types.ts";

/** Extensions of artifacts by what a server or a file says of them. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  "application/json": "json",
  "application/x-ndjson": "jsonl",
  "text/html": "html",
  "text/csv": "csv",
  "text/markdown": "md",
  "application/xml": "xml",
  "text/xml": "xml",
  "image/png": "png",
  "image/jpeg": "jpg",
  "application/pdf": "pdf",
};
const ERROR_DEPTH = 8;

/** An output in one of the few forms that are worked with, and what it says of itself. */
export interface TakenOutput {
  readonly output: PlainOutput;
  readonly says: Pick<GateOptions, "outcome" | "extension">;
}

/** Makes something plain of whatever a tool gives; throws for what nobody could mean. */
export function takeOutput(output: Output): TakenOutput {
  if (typeof output === "string" || output instanceof Uint8Array) return plain(output);
  if (output instanceof ArrayBuffer) return plain(new Uint8Array(output));
  if (output instanceof Promise)
    throw invalidArgument("The output for govern() must not be a promise (await it first).");
  if (typeof output !== "object" || output === null) throw unusable(output);
  if (output instanceof Error) return takeError(output);
  if (isResponse(output)) return takeResponse(output);
  if (isBlob(output)) return { output: output.stream(), says: { extension: extensionOf(output.type) } };
  if (Symbol.asyncIterator in output) return plain(output as AsyncIterable<Uint8Array | string>);
  if (Object.keys(output).join() === "value") return plain(output as { readonly value: unknown });
  if (Array.isArray(output) || isPlainObject(output)) return plain({ value: output });
  throw unusable(output);
}

function plain(output: PlainOutput): TakenOutput {
  return { output, says: {} };
}

/** An error with its stack, causes and fields, as a failure. */
function takeError(error: Error): TakenOutput {
  const shown = inspect(error, { depth: ERROR_DEPTH, maxArrayLength: null, maxStringLength: null });
  return {
    output: shown,
    says: { outcome: { kind: "failure", message: messageOf(error) || "the tool failed without saying why" } },
  };
}

function takeResponse(response: ResponseOutput): TakenOutput {
  const { ok, status, statusText, headers, body, bodyUsed } = response;
  if (bodyUsed) throw invalidArgument("The response's body was read already; give it unread.");
  const message = `the server answered ${status} ${statusText}`.trimEnd();
  return {
    output: body ?? "",
    says: {
      extension: extensionOf(headers.get("content-type") ?? ""),
      outcome: ok ? undefined : { kind: "failure", message },
    },
  };
}

function extensionOf(type: string): string | undefined {
  return ownValue(EXTENSIONS, type.split(";", 1)[0]!.trim().toLowerCase());
}

function isResponse(output: object): output is ResponseOutput {
  return "status" in output && "headers" in output && "body" in output && "bodyUsed" in output;
}

function isBlob(output: object): output is FileOutput {
  return "stream" in output && typeof output.stream === "function" && "size" in output && "type" in output;
}

function isPlainObject(output: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(output);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}

function unusable(output: unknown): SpillwayError {
  const what =
    typeof output === "object" && output !== null
      ? `a ${output.constructor?.name ?? "strange object"}`
      : String(output);
  return invalidArgument(
    `The output must be a string, bytes, a stream, an async iterable, a Response, a Blob, an Error, a plain object or an array, or { value } for anything else; not ${what}.`,
  );
}
