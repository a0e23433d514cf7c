export const TOOL_STATUSES = ["success", "partial", "error"] as const;
export type ToolStatus = (typeof TOOL_STATUSES)[number];

export const TOOL_ERROR_CODES = [
  "NOT_FOUND",
  "ACCESS_DENIED",
  "PERMISSION_DENIED",
  "INVALID_PARAM",
  "TIMEOUT",
  "INTERNAL_ERROR",
  "EXECUTION_ERROR",
  "CONFLICT",
  "IS_DIRECTORY",
  "BINARY_FILE",
] as const;
export type ToolErrorCode = (typeof TOOL_ERROR_CODES)[number];

/** One of the ten codes; an older or foreign tool's own code is kept as it is. */
export type AnyErrorCode = ToolErrorCode | (string & Record<never, never>);

export interface ToolError {
  code: AnyErrorCode;
  message: string;
}

export interface ToolStats {
  /** Milliseconds the tool took. */
  time_ms: number;
  [key: string]: number | string;
}

export interface ToolContext {
  /** Working directory relative to the root, "." for the root itself. */
  cwd: string;
  /** The parameters exactly as they were given. */
  params_input: unknown;
  /** The path that was used, relative to the root, POSIX. */
  path_resolved?: string;
  /** True when the tool bounds its own output; the gate then lets it pass untouched. */
  truncation_skip?: boolean;
  [key: string]: unknown;
}

/** The envelope that every tool returns. `error` is present only with status "error". */
export interface ToolResponse {
  status: ToolStatus;
  data: Record<string, unknown>;
  text: string;
  error?: ToolError;
  stats: ToolStats;
  context: ToolContext;
}

/** The facts of a truncation, as the envelope carries them in `data.truncation`. */
export interface TruncationFacts {
  direction: string;
  /** Null for no limit, since JSON has no infinity. */
  max_lines: number | null;
  max_bytes: number | null;
  /** Only where characters are limited. */
  max_chars?: number;
  /** Only where tokens are limited. */
  max_tokens?: number;
  original_lines: number;
  original_bytes: number;
  /**
   * Of the output, not of the preview: `original_` minus the omitted part. If a preview leaves out carriage returns and
   * escape codes, `kept_bytes` may be above `max_bytes`; the preview never is.
   */
  kept_lines: number;
  kept_bytes: number;
  /** Of a result made of items, how many it had and how many are kept whole; a line is then one item as compact JSON. */
  original_items?: number;
  kept_items?: number;
  /** Relative to the root, POSIX; null when the output could not be saved. */
  full_output_path: string | null;
  /** Why the full output could not be saved; only with a null path. */
  lost?: string;
}
