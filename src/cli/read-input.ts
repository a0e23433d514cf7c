import type { Readable } from "node:stream";
import { plainReason } from "../artifacts/store-failure.ts";
import type { Outcome } from "../gate/types.ts";

/** Hands every chunk on with backpressure; an input that breaks off is a failure, with what came before it kept. */
export function readInput(
  input: Readable,
  onChunk: (chunk: Uint8Array) => Promise<void> | undefined,
): Promise<Outcome> {
  return new Promise((resolve) => {
    input.on("data", (chunk: Uint8Array) => {
      const waiting = onChunk(chunk);
      if (waiting === undefined) return;
      input.pause();
      void waiting.then(() => input.resume());
    });
    input.once("end", () => resolve({ kind: "success" }));
    input.once("error", (error) => {
      const message = plainReason(error);
      resolve({ kind: "failure", message, cutShort: `reading failed: ${message}` });
    });
  });
}
