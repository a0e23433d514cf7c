/** How the rows after a hit belong to it. */
export type Following = "block" | "trace" | "list" | "none";

/** What is to be thought of a line that matters. */
export interface Verdict {
  /** 0 to 100: how surely such a line tells what went wrong. */
  readonly score: number;
  readonly reason: string;
  /** @default "block" */
  readonly following?: Following | undefined;
  /** Rows before it that are likely to explain it. @default 1 */
  readonly before?: number | undefined;
}

/** A verdict with all its fields, as all others have them. */
export function wholeVerdict({ score, reason, following, before }: Verdict): Verdict {
  return { score, reason, following, before };
}

/** A pattern of one kind of line that matters. */
export interface Rule extends Verdict {
  /** Bits of which at least one is set wherever the pattern can match. */
  readonly needs: number;
  readonly pattern: RegExp;
}
