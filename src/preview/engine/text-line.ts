import type { Tally } from "../../query/relevance.ts";
import type { HeldLine } from "../lines/held-line.ts";
import type { LineKind } from "./line-kind.ts";

/** What a declaration and the lines indented below it have in common. */
export interface Scope {
  /** A file stands for all of its lines, where several follow each other. */
  readonly kind: "file" | "type" | "function";
  readonly head: TextLine;
  readonly parent: Scope | undefined;
  /** Lines directly in it that are not blank, and the words of the question in them. */
  lines: number;
  tally: Tally | undefined;
}

/** A line of the output that may be shown. */
export interface TextLine {
  readonly held: HeldLine;
  /** As it is shown, without the number that a tool put before it and the white space around it. */
  readonly text: string;
  /** Columns that it is indented by; -1 for a blank line. */
  readonly indent: number;
  kind: LineKind;
  scope: Scope | undefined;
  /** How often each word of the question stands in it. */
  readonly tally: Tally | undefined;
}
