import type { Tally } from "../../../query/relevance.ts";
import type { HeldLine } from "../lines/held-line.ts";
import type { Declaration } from "./declaration.ts";
import type { PlacedPage } from "./placed-page.ts";
import type { LineKind } from "./source-parser.ts";

/** One line of source in memory, with what is known of it. */
export interface SourceLine {
  /** Its number. */
  readonly line: number;
  /** The line as it came, and its characters with what ends it. */
  readonly text: string;
  readonly chars: number;
  /** The same with its place in the output; made when asked for, since few lines are shown. */
  readonly held: HeldLine;
  readonly kind: LineKind;
  readonly scope: Declaration | undefined;
  readonly tally: Tally | undefined;
}

/** A line of a page that stays. */
export function keepLine(page: PlacedPage, index: number, scope: Declaration | undefined): SourceLine {
  return new KeptLine(page.held(index), page.kinds[index] as LineKind, scope, page.tallies[index]);
}

class KeptLine implements SourceLine {
  readonly held: HeldLine;
  readonly kind: LineKind;
  readonly scope: Declaration | undefined;
  readonly tally: Tally | undefined;

  constructor(held: HeldLine, kind: LineKind, scope: Declaration | undefined, tally: Tally | undefined) {
    this.held = held;
    this.kind = kind;
    this.scope = scope;
    this.tally = tally;
  }

  get line(): number {
    return this.held.line;
  }

  get text(): string {
    return this.held.text;
  }

  get chars(): number {
    return this.held.chars;
  }
}
