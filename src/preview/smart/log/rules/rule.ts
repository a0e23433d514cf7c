/** How the rows after a hit belong to it. */
export type Following = "block" | "trace" | "list" | "none";

/** The severity of a line that matters. */
export interface Verdict {
  /** 0 to 100: how surely such a line tells what went wrong. */
  readonly score: number;
  readonly reason: string;
  /** @default "block" */
  readonly following?: Following | undefined;
  /** Rows before it that are likely to explain it. @default 1 */
  readonly before?: number | undefined;
}

/** A verdict with all its fields: engines are slow where objects of several forms meet. */
export function wholeVerdict({ score, reason, following, before }: Verdict): Verdict {
  return { score, reason, following, before };
}

/** A pattern of one kind of line that matters. */
export interface Rule extends Verdict {
  /** Bits of which a row must have at least one. */
  readonly needs: number;
  /**
   * Texts, separated by `|`, of which at least one stands in whatever the pattern matches: lower case, `0` for any digit.
   * Without them the pattern is tried on every row that has the bits.
   */
  readonly words?: string;
  readonly pattern: RegExp;
}
