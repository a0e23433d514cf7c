/** How a preview selects what it keeps. */
export type Strategy = "head" | "tail" | "head_tail" | "smart";

export const STRATEGIES: readonly Strategy[] = ["head", "tail", "head_tail", "smart"];

/** A source may also ask for a summary by a model; the gate treats it as `head_tail` unless a summarizer is given. */
export type ConfiguredStrategy = Strategy | "summarize";

/**
 * The most that a result may hold, markers and notices included. `Infinity` means no limit of that kind.
 * A character is a UTF-16 unit, a byte a UTF-8 byte; a final newline does not open another line.
 */
export interface Limits {
  readonly maxLines: number;
  readonly maxBytes: number;
  readonly maxChars: number;
  readonly maxTokens: number;
}

/** Limits that a call, a tool definition, the environment or a configuration file may set. */
export interface LimitOptions {
  /** Most lines of a result. @default 2000 */
  readonly maxLines?: number | undefined;
  /** Most UTF-8 bytes of a result. @default 51200, or no limit when maxChars or maxTokens is given */
  readonly maxBytes?: number | undefined;
  /** Most characters (UTF-16 units) of a result. @default no limit */
  readonly maxChars?: number | undefined;
  /** Most tokens of a result. @default no limit */
  readonly maxTokens?: number | undefined;
  /** What of a result over a limit is shown. @default "smart" for a gate, "head" for Truncate and ObservationTruncator */
  readonly strategy?: ConfiguredStrategy | undefined;
  /** True when the limits hold the kept text alone, and markers and notice come on top. @default false */
  readonly markersOnTop?: boolean | undefined;
}
