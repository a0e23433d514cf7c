const MARKER = Symbol.for("spillway.error");

/** What went wrong, for the programmer. Tool failures that a model should see are envelopes, not these. */
export type SpillwayErrorCode =
  | "INVALID_LIMIT"
  | "INVALID_CONFIG"
  | "INVALID_ARGUMENT"
  | "ARTIFACT_NOT_FOUND"
  | "ARTIFACT_EXISTS"
  | "STORE_FAILED"
  | "SESSION_BUSY"
  | "SESSION_NOT_FOUND"
  | "SESSION_DAMAGED"
  | "MODEL_FAILED"
  | "UPSTREAM_FAILED"
  | "ABORTED";

export interface SpillwayErrorOptions {
  /** Facts for programs. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** What it came from. */
  readonly cause?: unknown;
}

/**
 * The one error class that Spillway throws; `code` is stable, `message` is for people. `instanceof` holds for one from any
 * copy of the package.
 */
export class SpillwayError extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (!isSpillwayError(value)) return false;
    // biome-ignore lint/complexity/noThisInStatic: a class that extends this one asks for its own instances.
    return this === SpillwayError || Function.prototype[Symbol.hasInstance].call(this, value);
  }

  override readonly name = "SpillwayError";
  readonly code: SpillwayErrorCode;
  readonly details: Readonly<Record<string, unknown>>;
  readonly [MARKER] = true;

  constructor(code: SpillwayErrorCode, message: string, options: SpillwayErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details ?? {};
  }
}

/** True for a SpillwayError from any copy of the package. */
export function isSpillwayError(value: unknown): value is SpillwayError {
  return typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[MARKER] === true;
}

/** What an error says, or anything else that was thrown; empty when that says nothing. */
export function messageOf(thrown: unknown): string {
  try {
    const said = (thrown as { readonly message?: unknown } | null | undefined)?.message ?? thrown ?? "";
    const text = String(said);
    return text.startsWith("[object ") ? (JSON.stringify(said) ?? "") : text;
  } catch {
    return "";
  }
}

/** A call, an option or a flag that cannot be what it is. */
export function invalidArgument(message: string, options?: SpillwayErrorOptions): SpillwayError {
  return new SpillwayError("INVALID_ARGUMENT", message, options);
}

/** The same for what a configuration says. */
export function invalidConfig(message: string, options?: SpillwayErrorOptions): SpillwayError {
  return new SpillwayError("INVALID_CONFIG", message, options);
}
