import { inspect } from "node:util";
import { SpillwayError } from "../errors.ts";
import { encodeSlices } from "../preview/measure.ts";
import type { Capture, Outcome, Output } from "./types.ts";

const SUCCESS: Outcome = { kind: "success" };
/** Bytes given to a capture at once, which copies them while the output is within limits. */
const SLICE_BYTES = 1024 * 1024;
/** How deep a value that JSON cannot hold is shown. */
const INSPECT_DEPTH = 20;

type ChunkSource = AsyncIterable<Uint8Array | string>;

/** Throws unless the value is something the gate can bound. */
export function checkOutput(output: unknown): asserts output is Output {
  if (typeof output === "string" || output instanceof Uint8Array) return;
  if (typeof output === "object" && output !== null && ("value" in output || Symbol.asyncIterator in output)) return;
  throw new SpillwayError(
    "INVALID_ARGUMENT",
    "The output must be a string, bytes, an async iterable, a stream, or { value } for anything else.",
  );
}

/** Writes an output into a capture and says how it ended; a source that throws is a failure, not a crash. */
export async function feed(
  capture: Capture,
  output: Exclude<Output, { readonly value: unknown }>,
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
    const message = error instanceof Error ? error.message : String(error);
    if (signal?.aborted === true) return { kind: "aborted", message };
    return { kind: "failure", message, cutShort: `the source broke off: ${message}` };
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
  try {
    for (;;) {
      const { done, value } = await next();
      if (done === true) return;
      yield value;
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    if (signal.aborted) void iterator.return?.().then(undefined, () => undefined);
  }
}

/** A structured value as JSON, pretty-printed unless `indent` is 0; what JSON cannot hold is shown as text. */
export function renderValue(value: unknown, indent = 2): string {
  const seen: unknown[] = [];
  const render = function (this: unknown, _key: string, item: unknown): unknown {
    if (typeof item === "bigint") return item.toString();
    if (typeof item !== "object" || item === null) return item;
    while (seen.length > 0 && seen.at(-1) !== this) seen.pop();
    if (seen.includes(item)) return "[circular]";
    seen.push(item);
    return item;
  };
  try {
    return JSON.stringify(value, render, indent) ?? String(value);
  } catch {
    // A toJSON or a getter that throws, or a value too deep for JSON.
    return inspect(value, { depth: INSPECT_DEPTH, maxArrayLength: null, maxStringLength: null });
  }
}
