import type { Position } from "../analyzer.ts";
import type { ElementInfo } from "./elements.ts";
import type { Run } from "./run.ts";

/** Takes tags and texts in order. */
export interface HtmlSink {
  /** True while texts of nothing but white space are to be told as texts. */
  readonly keepsBlanks: boolean;
  /** A run of text between tags, as it stands in the source, and what it is made of; a few thousand bytes at most. */
  text(raw: string, kinds: number, run: Run): void;
  /** A run of white space. */
  blank(): void;
  /** A start tag; `source` gives what stands between its brackets, `p class="x"`, if that is more than its name. */
  open(element: ElementInfo, closed: boolean, source: (() => string) | undefined): void;
  close(element: ElementInfo): void;
  /** Running text from a string of JSON within a script. */
  scriptText(text: string, start: Position, end: Position): void;
}
