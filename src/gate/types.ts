import type { ArtifactLocation, ArtifactStore } from "../artifacts/types.ts";
import type { ConfigFile } from "../limits/config-file.ts";
import type { ResolvedLimits } from "../limits/resolve.ts";
import type { LimitOptions, Limits, Strategy } from "../limits/types.ts";
import type { Preview, Size } from "../preview/types.ts";
import type { Outcome } from "../protocol/outcome.ts";
import type { Hint } from "./hint.ts";
import type { ReaderOptions } from "./reader.ts";

export type { Outcome };

/** Where the full output is, or why it is nowhere. */
export type Storage = { readonly artifact: ArtifactLocation } | { readonly lost: string };

interface GovernedBase {
  readonly tool: string;
  readonly callId?: string | undefined;
  readonly outcome: Outcome;
  /** Size of the whole output. */
  readonly size: Size;
  readonly limits: Limits;
  readonly strategy: Strategy;
}

/** The output was within limits; `text` is all of it. */
export interface WholeResult extends GovernedBase {
  readonly kind: "whole";
  readonly text: string;
  /** The raw bytes, when the output was not a string (they may not be valid UTF-8). */
  readonly bytes?: Uint8Array;
  /** The structured value, when the output was one. */
  readonly value?: unknown;
}

/** The output was over a limit: a preview, and the full output in `storage`. */
export interface BoundedResult extends GovernedBase {
  readonly kind: "bounded";
  readonly preview: Preview;
  readonly storage: Storage;
  /** What was cut, where the full output is, and calls that get at the rest. */
  readonly hint: Hint;
  /** The hint as far as the limits hold it beside the preview; empty when they are too small. */
  readonly notice: string;
  /** Of a value made of items or long texts, what is kept of it in its own shape. */
  readonly structured?: KeptStructure | undefined;
}

/** How many items a value's lists have, and how many of these are kept whole. */
export interface ItemCount {
  readonly total: number;
  readonly kept: number;
}

/** A value that was bounded by its items: the same shape with fewer items and shorter texts. */
export interface KeptStructure {
  readonly value: unknown;
  /** In lines of one item each, or of the texts. */
  readonly kept: Size;
  /** Over all lists; absent when the value is made of texts only. */
  readonly items?: ItemCount | undefined;
  /** Each list's name and number of items. */
  readonly totals: Readonly<Record<string, number>>;
  /** A few lines to stand beside the value. */
  readonly preview: string;
  /** The hint, speaking of what the value holds. */
  readonly hint: Hint;
}

/** What leaves the gate. */
export type Governed = WholeResult | BoundedResult;

/** Anything a tool may produce. */
export type Output =
  | string
  | Uint8Array
  | AsyncIterable<Uint8Array | string>
  | ReadableStream<Uint8Array | string>
  | { readonly value: unknown };

/** How to bound one output; who reads it overrides what the gate was told. */
export interface GovernOptions extends LimitOptions, ReaderOptions {
  /** @default "tool" */
  readonly tool?: string | undefined;
  readonly callId?: string | undefined;
  /** @default success */
  readonly outcome?: Outcome | undefined;
  /** The reader's question, for `smart`. */
  readonly query?: string | undefined;
  /** File extension of the artifact. @default "txt", "json" for a structured value */
  readonly extension?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The limits of the tool's definition (they rank below the config file's `tools.NAME`). */
  readonly toolLimits?: LimitOptions | undefined;
  /** Other names under which the config file may hold limits for this tool. */
  readonly aliases?: readonly string[] | undefined;
  /** See `FinishOptions`. @default "inside" */
  readonly markers?: "inside" | "outside" | undefined;
  /** For `{ value }`: what is saved in its place, and where in that the value stands. @default the value */
  readonly saved?: { readonly value: unknown; readonly at: readonly string[] } | undefined;
  /** A file with just these bytes, which a local store takes over as the artifact instead of writing them again. */
  readonly adopt?: string | undefined;
  /** `false` leaves the counting to a later `record`, for who does not show the preview as it is. @default true */
  readonly counted?: boolean | undefined;
}

/** A sink for a tool's bytes, with backpressure. The artifact opens only once a limit is passed. */
export interface Capture {
  /** Takes a chunk; await the promise, when there is one, before the next. Never rejects: a failing store is noted. */
  write(chunk: Uint8Array | string): Promise<void> | undefined;
  readonly size: Size;
  /** Ends the output; call once. */
  finish(outcome?: Outcome): Promise<Governed>;
  /** Gives the output up instead: nothing is kept or counted. */
  discard(): Promise<void>;
}

/** One truncation, as the log and `stats.jsonl` have it. */
export interface TruncationRecord {
  readonly schema: 1;
  readonly at: string;
  readonly surface: string;
  readonly tool: string;
  readonly callId?: string | undefined;
  readonly strategy: Strategy;
  readonly before: { readonly lines: number; readonly bytes: number; readonly tokens: number };
  readonly after: { readonly lines: number; readonly bytes: number; readonly tokens: number };
  readonly artifact?: string | undefined;
  readonly lost?: string | undefined;
}

export interface ToolCounters {
  readonly calls: number;
  readonly truncated: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

export interface Logger {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

export interface SpillwayOptions extends LimitOptions, ReaderOptions {
  /** @default process.cwd() */
  readonly root?: string | undefined;
  /** Artifact folder, relative to the root. @default `TOOL_OUTPUT_DIR`, the config file's, then `defaultDir` */
  readonly dir?: string | undefined;
  /** The folder when nothing else says one. @default ".agents/tool-output" */
  readonly defaultDir?: string | undefined;
  /** @default a local store in `dir` */
  readonly store?: ArtifactStore | undefined;
  /** YAML file; `false` reads none. @default "spillway.yaml" in the root when there is one */
  readonly config?: string | false | undefined;
  /** @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Who asks, in records: "sdk", "cli", "agent", "proxy". @default "sdk" */
  readonly surface?: string | undefined;
  /** @default silent */
  readonly logger?: Logger | undefined;
  /** @default 7 */
  readonly retentionDays?: number | undefined;
  readonly quotaBytes?: number | undefined;
  /** How long a store may stay silent before the output goes on without it. @default 60000 */
  readonly storeTimeoutMs?: number | undefined;
  /** Counts the tokens of a text. @default o200k_base, loaded with the first token limit */
  readonly countTokens?: ((text: string) => number) | undefined;
  /** Writes the hints instead of the built-in wording, for hosts whose readers are called differently. */
  readonly hint?: ((hint: Hint) => string) | undefined;
}

/** The gate. Made by `createSpillway`. */
export interface Spillway {
  readonly root: string;
  /** Where full outputs go; opened with its first use. */
  readonly store: ArtifactStore;
  /** Bounds a finished or streaming output. Rejects only for wrong arguments. */
  govern(output: Output, options?: GovernOptions): Promise<Governed>;
  /** Opens a sink for a tool that pushes its bytes. */
  capture(options?: GovernOptions): Promise<Capture>;
  /** What a call with these options would be held to, and where each value comes from. */
  limits(options?: GovernOptions): Promise<ResolvedLimits>;
  /** What the config file says, when there is one. */
  config(): Promise<ConfigFile | undefined>;
  /** Counts a result that was bounded elsewhere, such as a sub-agent's answer, or not counted yet. */
  record(result: Governed): void;
  /** Counters since creation, per tool. */
  stats(): Readonly<Record<string, ToolCounters>>;
  /** Appends counters and records to `.agents/stats.jsonl`; a failure is logged, not thrown. */
  flush(): Promise<void>;
}
