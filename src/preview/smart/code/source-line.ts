import type { Tally } from "../../../query/relevance.ts";
import type { HeldLine } from "../lines/held-line.ts";
import type { Declaration } from "./declaration.ts";
import type { PlacedPage } from "./placed-page.ts";
import type { LineKind } from "./source-parser.ts";

/** One line of source in memory, with what is known of it. */
export interface SourceLine {
  /** Its number. */
  readonly line: number;
  readonly held: HeldLine;
  readonly kind: LineKind;
  readonly scope: Declaration | undefined;
  readonly tally: Tally | undefined;
}

/** A line of a page that stays. */
export function keepLine(page: PlacedPage, index: number, scope: Declaration | undefined): SourceLine {
  const held = page.held(index);
  return { line: held.line, held, kind: page.kinds[index] as LineKind, scope, tally: page.tallies[index] };
}
