import type { SpillwayOptions } from "../../../gate/types.ts";
import type { BoundRequest } from "../bound/bound-context.ts";
import type { BoundMessage } from "../bound/bound-message.ts";
import type { ExpectedAnswer, SpoolOptions } from "./spool.ts";
import type { MessageHeader } from "./spooled-message.ts";

/** Bytes that may be on their way to the worker before the sender has to wait. */
export const WINDOW_BYTES = 2 * 1024 * 1024;

/** Young space of a worker; the default grows to 48 MB for what is only passing through. */
export const YOUNG_MB = 4;

export interface WorkerData {
  readonly spool: SpoolOptions;
  readonly spillway: SpillwayOptions;
}

export type ToWorker =
  | { readonly op: "open"; readonly slot: number; readonly expected: readonly ExpectedAnswer[] }
  | { readonly op: "write"; readonly slot: number; readonly chunks: readonly Uint8Array[] }
  | { readonly op: "end"; readonly slot: number }
  | { readonly op: "drop"; readonly slot: number }
  | { readonly op: "bound"; readonly slot: number; readonly request: BoundRequest }
  | { readonly op: "flush" };

export type FromWorker =
  | { readonly op: "written"; readonly slot: number; readonly bytes: number }
  | {
      readonly op: "arrived";
      readonly slot: number;
      readonly header: MessageHeader;
      /** Undefined when the file does not hold all of the message. */
      readonly path: string | undefined;
    }
  | {
      readonly op: "refused";
      readonly slot: number;
      readonly header: MessageHeader | undefined;
      readonly bytes: number;
      readonly reason: string;
    }
  | { readonly op: "garbage"; readonly slot: number; readonly bytes: number }
  | { readonly op: "bounded"; readonly slot: number; readonly outcome: BoundMessage }
  | { readonly op: "failed"; readonly slot: number; readonly reason: string }
  | { readonly op: "flushed" };
