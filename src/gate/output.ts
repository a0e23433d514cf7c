import { encodeSlices } from "../preview/measure.ts";
import type { Capture, Outcome, Output } from "./types.ts";

const SUCCESS: Outcome = { kind: "success" };

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
    await capture.write(output);
    return SUCCESS;
  }
  try {
    for await (const chunk of abortable(output as AsyncIterable<Uint8Array | string>, signal))
      await capture.write(chunk);
    return SUCCESS;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return signal?.aborted === true ? { kind: "aborted", message } : { kind: "failure", message };
  }
}

/** Ends an iteration when the signal fires, even while the source is silent. */
async function* abortable<T>(source: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T, void, void> {
  if (signal === undefined) {
    yield* source;
    return;
  }
  const iterator = source[Symbol.asyncIterator]();
  let onAbort: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () =>
      reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason ?? "aborted")));
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    for (;;) {
      const { done, value } = await Promise.race([iterator.next(), aborted]);
      if (done === true) return;
      yield value;
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    if (signal.aborted) void iterator.return?.().then(undefined, () => undefined);
  }
}

/** A structured value as pretty-printed JSON; what JSON cannot hold is shown as text. */
export function renderValue(value: unknown): string {
  const seen: unknown[] = [];
  const render = function (this: unknown, _key: string, item: unknown): unknown {
    if (typeof item === "bigint") return item.toString();
    if (typeof item !== "object" || item === null) return item;
    while (seen.length > 0 && seen.at(-1) !== this) seen.pop();
    if (seen.includes(item)) return "[circular]";
    seen.push(item);
    return item;
  };
  return JSON.stringify(value, render, 2) ?? String(value);
}
