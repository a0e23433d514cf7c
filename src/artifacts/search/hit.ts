/** One place where a pattern matches. */
export interface Hit {
  /** Relative to the folder that was searched; empty when one file was. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly startByte: number;
  /** What matched, at most its first 200 characters. */
  readonly text: string;
}

export const HIT_TEXT_CHARS = 200;
