import type { Tally } from "../../../query/relevance.ts";
import type { DeclarationKind } from "./read-declaration.ts";

/** A class, function or the like, and what it covers. */
export interface Declaration {
  readonly kind: DeclarationKind;
  readonly name: string;
  readonly indent: number;
  readonly depth: number;
  readonly parent: Declaration | undefined;
  readonly startLine: number;
  /** False once it has ended. */
  open: boolean;
  /** Lines of it that say something; those of what it holds are added when that ends. */
  lines: number;
  /** How often each term of the question stands in its signature, and, as with the lines, in all of it. */
  headTally: Tally | undefined;
  tally: Tally | undefined;
}

/** Counts a line of it. Text that a statement opened may still be added to what has ended. */
export function countLine(declaration: Declaration | undefined, tally: Tally | undefined): void {
  for (let at = declaration; at !== undefined; at = at.parent) {
    at.lines++;
    at.tally = addedTo(at.tally, tally);
    if (at.open) return;
  }
}

/** Ends a declaration: what it has counts for what it stands in. */
export function endDeclaration(declaration: Declaration): void {
  const { parent, lines, tally } = declaration;
  declaration.open = false;
  if (parent === undefined) return;
  parent.lines += lines;
  parent.tally = addedTo(parent.tally, tally);
}

/** Adds in place, since every line is added to what it stands in; only the first is copied. */
export function addedTo(sum: Tally | undefined, tally: Tally | undefined): Tally | undefined {
  if (tally === undefined) return sum;
  if (sum === undefined) return tally.slice();
  for (let index = 0; index < sum.length; index++) {
    const count = (sum[index] ?? 0) + (tally[index] ?? 0);
    sum[index] = Math.min(255, count);
  }
  return sum;
}
