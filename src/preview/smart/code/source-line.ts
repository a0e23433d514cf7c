import type { Tally } from "../../../query/relevance.ts";
import type { HeldLine } from "../lines/held-line.ts";
import type { Declaration, LineKind } from "./source-parser.ts";

/** One line of source in memory, with what is known of it. */
export interface SourceLine {
  held: HeldLine;
  readonly kind: LineKind;
  readonly scope: Declaration | undefined;
  readonly indent: number;
  readonly tally: Tally | undefined;
}

/** Lines in a row that came under one declaration. */
export interface SourceBlock {
  readonly lines: SourceLine[];
  readonly scope: Declaration | undefined;
  tally: Tally | undefined;
  chars: number;
}
