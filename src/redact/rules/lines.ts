import { standsInAnyCase } from "../byte-class.ts";
import type { View } from "../types.ts";

const NEWLINE = 10;
const RETURN = 13;
const BACKSLASH = 0x5c;
const QUOTE = 0x22;
/** A name further to the right is none of a mapping. */
const MOST_COLUMN = 64;
/** What stands before a line's own text is no longer. */
export const MARGIN_BYTES = 160;

const decoder = new TextDecoder("latin1");

/** Where the next line begins, when one ends here; its end may be spelled `\n`, as within a string. */
export function lineBreakEnd({ bytes, end }: View, at: number): number | undefined {
  if (bytes[at] === BACKSLASH) {
    const newline = standsInAnyCase(bytes, at, "\\r") ? at + 2 : at;
    return standsInAnyCase(bytes, newline, "\\n") && newline + 2 <= end ? newline + 2 : undefined;
  }
  const newline = bytes[at] === RETURN ? at + 1 : at;
  return bytes[newline] === NEWLINE && newline < end ? newline + 1 : undefined;
}

/** Where the line ends; undefined when not in the view. */
export function lineEndFrom({ bytes, end }: View, at: number): number | undefined {
  const newline = bytes.subarray(at, end).indexOf(NEWLINE);
  return newline === -1 ? undefined : at + newline;
}

/** How far a place is from the start of its line, which `next` begins after; undefined when that is far. */
export function columnOf({ bytes, floor }: View, at: number, next: number): number | undefined {
  const inString = bytes[next - 1] !== NEWLINE;
  for (let from = at; at - from <= MOST_COLUMN; from--) {
    const before = bytes[from - 1];
    if (from <= floor || before === NEWLINE) return at - from;
    if (inString && (before === QUOTE || (before === 0x6e && bytes[from - 2] === BACKSLASH))) return at - from;
  }
  return undefined;
}

/** Blanks, and before them a diff's sign, the line's number, or `file-12-` as a search prints it. */
const MARGIN = /^(?:[+-]|\s*\d+(?:\t|[:|-]|\xe2\x86\x92)|[\w./-]{1,80}[:-]\d+[:-])?[ \t]*/;

/** Where the line's own text begins. */
export function marginEnd({ bytes, end }: View, line: number): number {
  const start = decoder.decode(bytes.subarray(line, Math.min(end, line + MARGIN_BYTES)));
  return line + MARGIN.exec(start)![0].length;
}
