import type { AnyErrorCode } from "./types.ts";

export interface ToolFailureOptions {
  /** What to do now, as a sentence; names calls that work. */
  readonly next?: string | undefined;
  /** What is known all the same. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  /** What it came from. */
  readonly cause?: unknown;
}

/** Thrown inside a tool to end it with status "error"; it becomes an envelope, it never leaves the tool. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
  readonly code: AnyErrorCode;
  readonly next: string | undefined;
  readonly data: Readonly<Record<string, unknown>>;

  constructor(code: AnyErrorCode, message: string, options: ToolFailureOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.next = options.next;
    this.data = options.data ?? {};
  }
}
