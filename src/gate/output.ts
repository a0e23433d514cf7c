import { inspect } from "node:util";
import { MAX_INDENTED_DEPTH, spellOut, stringifyDeep } from "../bytes/json/stringify-json.ts";
import { ownValue } from "../bytes/own-value.ts";
import { encodeSlices } from "../bytes/utf8.ts";
import { invalidArgument, messageOf, type SpillwayError } from "../errors.ts";
import type { Capture, FileOutput, GateOptions, Outcome, Output, PlainOutput, ResponseOutput } from "./types.ts";

/** Artifact extensions by media type or file extension. */
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

/** An output in one of the few internal forms, with its own metadata. */
export interface TakenOutput {
  readonly output: PlainOutput;
  readonly says: Pick<GateOptions, "outcome" | "extension">;
}

/** Converts any value that a tool may return; throws for values that cannot be an output. */
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

const SUCCESS: Outcome = { kind: "success" };
/** Bytes given to a capture at once, which copies them while the output is within limits. */
const SLICE_BYTES = 1024 * 1024;
/** How deep a value that JSON cannot hold is shown. */
const INSPECT_DEPTH = 20;

type ChunkSource = AsyncIterable<Uint8Array | string>;

/** Writes an output into a capture and says how it ended; a source that throws is a failure, not a crash. */
export async function feed(
  capture: Pick<Capture, "write">,
  output: Exclude<PlainOutput, { readonly value: unknown }>,
  signal?: AbortSignal,
): Promise<Outcome> {
  if (typeof output === "string") {
    for (const slice of encodeSlices(output)) await capture.write(slice);
    return SUCCESS;
  }
  if (output instanceof Uint8Array) {
    for (let at = 0; at < output.length; at += SLICE_BYTES) await capture.write(output.subarray(at, at + SLICE_BYTES));
    return SUCCESS;
  }
  try {
    for await (const chunk of abortable(output as ChunkSource, signal)) {
      if (typeof chunk !== "string" && !((chunk as unknown) instanceof Uint8Array))
        throw new TypeError("the source gave a chunk that is neither text nor bytes");
      await capture.write(chunk);
    }
    return SUCCESS;
  } catch (error) {
    const message = messageOf(error);
    if (signal?.aborted === true) return { kind: "aborted", message };
    const why = message === "" ? "without saying why" : message;
    return { kind: "failure", message: why, cutShort: `the source broke off: ${why}` };
  }
}

/** Ends an iteration when the signal fires, even while the source is silent. */
async function* abortable<T>(source: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T, void, void> {
  if (signal === undefined) {
    yield* source;
    return;
  }
  const iterator = source[Symbol.asyncIterator]();
  let interrupt: (reason: Error) => void = () => undefined;
  const onAbort = (): void =>
    interrupt(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason ?? "aborted")));
  // One promise per chunk: racing each against a promise that lives on would keep them all in memory.
  const next = (): Promise<IteratorResult<T>> =>
    new Promise((resolve, reject) => {
      interrupt = reject;
      if (signal.aborted) onAbort();
      else iterator.next().then(resolve, reject);
    });
  signal.addEventListener("abort", onAbort, { once: true });
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await next();
      ended = done === true;
      if (ended) return;
      yield value;
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    // Not waited for: a source that is silent may not even hear of it.
    if (!ended) void iterator.return?.().then(undefined, () => undefined);
  }
}

/** A structured value as JSON, pretty-printed unless `indent` is 0; values that JSON cannot hold are shown as text. */
export function renderValue(value: unknown, indent = 2): string {
  const seen: unknown[] = [];
  const shown: unknown[] = [];
  const render = function (this: unknown, _key: string, item: unknown): unknown {
    if (typeof item === "bigint") return item.toString();
    if (typeof item !== "object" || item === null) return item;
    while (shown.length > 0 && shown.at(-1) !== this) shown.pop();
    seen.length = shown.length;
    if (seen.includes(item)) return "[circular]";
    if (seen.push(item) > MAX_INDENTED_DEPTH) throw new RangeError("too deep to be indented");
    const plain = spellOut(item);
    shown.push(plain);
    return plain;
  };
  try {
    return JSON.stringify(value, render, indent) ?? String(value);
  } catch (error) {
    if (error instanceof RangeError) return stringifyDeep(value);
    // A toJSON or a getter that throws.
    return inspect(value, { depth: INSPECT_DEPTH, maxArrayLength: null, maxStringLength: null });
  }
}
