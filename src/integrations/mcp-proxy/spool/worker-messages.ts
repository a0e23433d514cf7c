import type { SpillwayOptions } from "../../../gate/types.ts";
import type { InstrumentName } from "../../../telemetry/instruments.ts";
import type { Attributes } from "../../../telemetry/telemetry.ts";
import type { BoundRequest } from "../message/bound-context.ts";
import type { BoundMessage } from "../message/bound-message.ts";
import type { MessageHeader } from "./message-header.ts";
import type { ExpectedAnswer, SpoolOptions, UntakenArrival } from "./spool.ts";

/** Bytes that may be on their way to the worker before the sender has to wait. */
export const WINDOW_BYTES = 2 * 1024 * 1024;

/** Young space of a worker; the default grows to 48 MB for what is only passing through. */
export const YOUNG_MB = 4;

export interface WorkerData {
  readonly spool: SpoolOptions;
  readonly spillway: SpillwayOptions;
  /** Hands records over instead of writing them. @default false */
  readonly handsRecords?: boolean;
}

/** A bounded message as JSON: threads cannot hand over what is nested deep. */
export interface BoundedJson {
  readonly json: string;
  readonly artifacts: BoundMessage["artifacts"];
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
  | { readonly op: "untaken"; readonly slot: number; readonly arrival: UntakenArrival }
  | { readonly op: "bounded"; readonly slot: number; readonly outcome: BoundedJson }
  | { readonly op: "failed"; readonly slot: number; readonly reason: string }
  | {
      readonly op: "measured";
      readonly instrument: InstrumentName;
      readonly value: number;
      readonly attributes: Attributes;
    }
  | { readonly op: "recorded"; readonly root: string; readonly records: readonly object[] }
  | { readonly op: "flushed" };
