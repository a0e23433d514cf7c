import type { ChildProcess } from "node:child_process";
import type { ArtifactLocation, ArtifactStore } from "../artifacts/types.ts";
import type { Configuration } from "../limits/configuration.ts";
import type { ResolvedLimits } from "../limits/resolve.ts";
import type { LimitOptions, Limits, Strategy } from "../limits/types.ts";
import type { Preview, Size } from "../preview/types.ts";
import type { Outcome } from "../protocol/outcome.ts";
import type { Query } from "../query/query-context.ts";
import type { Redaction } from "../redact/redaction.ts";
import type { SecretNumbers } from "../redact/secret-numbers.ts";
import type { RedactOptions } from "../redact/settings.ts";
import type { Hint } from "./hint.ts";
import type { ReaderOptions } from "./reader.ts";
import type { RecordSink, ToolCounters } from "./records.ts";

export type { GateOptions, GateSetup } from "./gate-options.ts";
export type { Outcome };

/** Where the full output is, or why it is nowhere. */
export type Storage =
  | {
      readonly artifact: ArtifactLocation;
      /** Why its manifest is missing; the bytes are all there. */
      readonly unrecorded?: string | undefined;
      /** Why it is in the local folder for now instead of where it belongs. */
      readonly spooled?: string | undefined;
    }
  | { readonly lost: string };

interface GovernedBase {
  readonly tool: string;
  readonly callId?: string | undefined;
  readonly outcome: Outcome;
  /** Size of the whole output. */
  readonly size: Size;
  readonly limits: Limits;
  readonly strategy: Strategy;
  /** How many secrets of each kind were replaced; absent when none was. */
  readonly redacted?: Readonly<Record<string, number>> | undefined;
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
  /** The omission, the path of the full output, and calls that read the rest. */
  readonly hint: Hint;
  /** The hint as far as it fits the limits next to the preview; empty if they are too small. */
  readonly notice: string;
  /** For a value made of items or long texts: the kept part, in its own shape. */
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
  /** A few lines to show next to the value. */
  readonly preview: string;
  /** The hint, worded for the value's contents. */
  readonly hint: Hint;
}

/** The result of the gate. */
export type Governed = WholeResult | BoundedResult;

/** The internal forms of an output; other values are converted first. */
export type PlainOutput =
  | string
  | Uint8Array
  | AsyncIterable<Uint8Array | string>
  | ReadableStream<Uint8Array | string>
  | { readonly value: unknown };

/** A `fetch` response: its body is read, its type names the artifact, and a status that is not ok makes it a failure. */
export interface ResponseOutput {
  readonly ok: boolean;
  readonly status: number;
  readonly statusText: string;
  readonly headers: { get(name: string): string | null };
  readonly body: ReadableStream<Uint8Array> | null;
  readonly bodyUsed: boolean;
}

/** A Blob or a File. */
export interface FileOutput {
  readonly size: number;
  readonly type: string;
  stream(): ReadableStream<Uint8Array>;
}

/**
 * Anything a tool may produce: text, bytes, a stream of either, a `Response`, a `Blob`, an `Error` (a failure, with stack and
 * causes), a plain object or an array (bounded by its items), or `{ value }` for whatever else, such as a number or a Map.
 */
export type Output =
  | PlainOutput
  | ArrayBuffer
  | ResponseOutput
  | FileOutput
  | Error
  | readonly unknown[]
  | { readonly [key: string]: unknown };

/** How to bound one output; reader options override the gate's. */
export interface GovernOptions extends LimitOptions, ReaderOptions {
  /** The tool's name: part of the saved file's name, and the name under which the config file may hold limits. @default "tool" */
  readonly tool?: string | undefined;
  /** The call's id; the saved output can be found by it. */
  readonly callId?: string | undefined;
  /** The command that printed it, for lists of what was saved. @default known to `exec` and `governProcess` only */
  readonly commandLine?: string | undefined;
  /** How the tool ended, where the output does not tell it by itself. @default success */
  readonly outcome?: Outcome | undefined;
  /** The reader's question, or the known reasons for the call, for `smart`. */
  readonly query?: Query | undefined;
  /** File extension of the artifact. @default "txt", "json" for a structured value */
  readonly extension?: string | undefined;
  /** Stops reading a stream; everything read until then is kept. */
  readonly signal?: AbortSignal | undefined;
  /** The session's numbers for secrets, where they are taken out. @default numbers of this result alone */
  readonly secrets?: SecretNumbers | undefined;
}

/** How to bound a child's output. */
export interface GovernProcessOptions extends Omit<GovernOptions, "outcome"> {
  /** Ends the child after this time. @default never */
  readonly timeoutMs?: number | undefined;
}

/** How to run a command. */
export interface ExecOptions extends GovernProcessOptions {
  /** Where it runs. @default process.cwd() */
  readonly cwd?: string | undefined;
  /** Variables added to this process's environment. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** What the command reads. @default nothing */
  readonly input?: string | Uint8Array | undefined;
}

/** A process's output and outcome: 124 after a timeout, 126 or 127 if it could not start, 128+n after a signal. */
export type ProcessResult = Governed & { readonly exitCode: number; readonly signal?: NodeJS.Signals };

/** Input of `keep`. */
export interface KeepOptions {
  /** The tool's name, part of the saved file's name. @default "tool" */
  readonly tool?: string | undefined;
  /** The call's id; the saved output can be found by it. */
  readonly callId?: string | undefined;
  /** The command that printed it, shown in lists of saved outputs. See `GovernOptions`. */
  readonly commandLine?: string | undefined;
  /** File extension of the artifact. @default "txt", "json" for a structured value */
  readonly extension?: string | undefined;
  /** Id of the artifact that this companion belongs to. */
  readonly relatedTo?: string | undefined;
  /** Why it is not the whole of what it stands for. @default it is */
  readonly cutShort?: string | undefined;
  /** Ends the saving. */
  readonly signal?: AbortSignal | undefined;
}

/** Something that was saved, or could not be. */
export interface Kept {
  readonly storage: Storage;
  readonly size: Size;
}

/** Shown instead of the gate's preview. */
export interface Shown {
  readonly text: string;
  readonly strategy: Strategy;
  /** What stands beside the text. @default the gate's notice */
  readonly notice?: string | undefined;
}

/** A sink for a tool's bytes, with backpressure. The artifact opens only once a limit is passed. */
export interface Capture {
  /** Takes a chunk; await the promise, when there is one, before the next. Never rejects: a failing store is noted. */
  write(chunk: Uint8Array | string): Promise<void> | undefined;
  /**
   * Receives each part of the output as it arrives, redacted, until a limit is passed: the call with `over` is
   * the last, and its part holds the whole lines that still fit. Call before the first `write`.
   */
  follow(listener: (part: Uint8Array, over: boolean) => void): void;
  readonly size: Size;
  /** Ends the output; call once. */
  finish(outcome?: Outcome): Promise<Governed>;
  /** Gives the output up instead: nothing is kept or counted. */
  discard(): Promise<void>;
}

export interface Logger {
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

export interface SpillwayOptions extends LimitOptions, ReaderOptions {
  /** The project's folder: artifacts go below it, and its config file is read. @default process.cwd() */
  readonly root?: string | undefined;
  /** Artifact folder, relative to the root. @default `TOOL_OUTPUT_DIR`, the config file's, then ".agents/tool-output" */
  readonly dir?: string | undefined;
  /** A store of your own, or `s3://bucket/prefix`. @default `SPILLWAY_STORE`, the user's config file's, then a local store in `dir` */
  readonly store?: ArtifactStore | string | undefined;
  /** YAML file in place of the project's; `false` reads none. @default "spillway.yaml" in the root when there is one */
  readonly config?: string | false | undefined;
  /** Where `TOOL_OUTPUT_*` and `SPILLWAY_STORE` are read. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Who asks, in records: "sdk", "cli", "agent", "proxy". @default "sdk" */
  readonly surface?: string | undefined;
  /** Hears of each truncation, and of statistics that could not be written. @default silent */
  readonly logger?: Logger | undefined;
  /** Takes truncation records and counters. @default `.agents/stats.jsonl` below the root */
  readonly records?: RecordSink | undefined;
  /** Saved outputs older than this are removed. @default 7 */
  readonly retentionDays?: number | undefined;
  /** Most bytes of saved outputs; the oldest go first. @default no quota */
  readonly quotaBytes?: number | undefined;
  /** How long a store may stay silent before the output goes on without it. @default 60000 */
  readonly storeTimeoutMs?: number | undefined;
  /** Counts the tokens of a text. @default o200k_base, loaded with the first token limit */
  readonly countTokens?: ((text: string) => number) | undefined;
  /** Writes hints instead of the built-in wording, for hosts whose readers have other names. */
  readonly hint?: ((hint: Hint) => string) | undefined;
  /** Takes secrets out before anything is shown or saved. @default as the config file says, else false */
  readonly redact?: boolean | RedactOptions | undefined;
}

/** The gate. Made by `createSpillway`. */
export interface Spillway {
  readonly root: string;
  /** Where full outputs go; opened with its first use. */
  readonly store: ArtifactStore;
  /** Bounds a finished or streaming output. Rejects only for wrong arguments. */
  govern(output: Output, options?: GovernOptions): Promise<Governed>;
  /** Runs a program with its arguments and bounds its output. Rejects only for invalid arguments. */
  exec(program: string, args: readonly string[], options?: ExecOptions): Promise<ProcessResult>;
  /** Runs a line in the shell. */
  exec(line: string, options?: ExecOptions): Promise<ProcessResult>;
  /** Bounds the output of a child that was started elsewhere, with pipes for its output. */
  governProcess(child: ChildProcess, options?: GovernProcessOptions): Promise<ProcessResult>;
  /** Opens a sink for a tool that pushes its bytes. */
  capture(options?: GovernOptions): Promise<Capture>;
  /** Saves a companion file of a result, whatever its size. A store failure is reported, not thrown. */
  keep(output: Output, options?: KeepOptions): Promise<Kept>;
  /** The limits that a call with these options would get, and the source of each value. */
  limits(options?: GovernOptions): Promise<ResolvedLimits>;
  /** @internal The merged configuration files, and the project settings that were ignored. */
  config(): Promise<Configuration>;
  /** @internal The redactor of outputs; undefined if redaction is off. */
  redaction(): Promise<Redaction | undefined>;
  /** @internal Counts redactions in something that does not pass the gate. */
  noteRedacted(tool: string, redacted: Readonly<Record<string, number>>): void;
  /** Counts a result that was not counted before, with the shown text if it is not the gate's preview. */
  record(result: Governed, shown?: Shown): void;
  /** Counters since creation, per tool. */
  stats(): Readonly<Record<string, ToolCounters>>;
  /** Appends counters and records to `.agents/stats.jsonl`; a failure is logged, not thrown. */
  flush(): Promise<void>;
}
