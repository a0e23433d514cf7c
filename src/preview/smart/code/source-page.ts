import { PARENTHESIS, SIGNS } from "../../../bytes/line-scan-code.ts";
import { ANYTHING, meaningAt } from "./first-words.ts";
import type { SourceText } from "./source-text.ts";

const TAB = 9;
const RETURN = 13;
const BLANK = 32;
const TAB_COLUMNS = 8;
/** Beyond it white space that is neither blank nor tab may hide what a line begins with. */
const LAST_ASCII = 0x7f;

/** What begins or ends a comment or a long text, or stands between a label and a comment. */
export type Sign = ": /" | "/*" | "*/" | '"""' | "'''";

/**
 * Lines of source in columns: each is a range of a text that it shares with its neighbours, and most of them are judged
 * without ever being a text of their own.
 */
export class SourcePage {
  count = 0;
  /** What a line is a range of, and the range. */
  readonly texts: SourceText[] = [];
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Where a line begins after its blanks and tabs. */
  readonly heads: Int32Array;
  /** Columns before that; -1 for a blank line. */
  readonly indents: Int32Array;
  /** The first character after the blanks of a line that is not blank. */
  readonly firsts: Uint8Array;
  /** What the first word may be; anything where white space may hide it. */
  readonly meanings: Uint16Array;
  /** Which signs may stand on a line. */
  readonly #flags: Uint8Array;

  constructor(capacity: number) {
    this.starts = new Int32Array(capacity);
    this.ends = new Int32Array(capacity);
    this.heads = new Int32Array(capacity);
    this.indents = new Int32Array(capacity);
    this.firsts = new Uint8Array(capacity);
    this.meanings = new Uint16Array(capacity);
    this.#flags = new Uint8Array(capacity);
  }

  /** Adds a line; `flags` are those of a scanner, if one has seen it. */
  add(text: SourceText, start: number, end: number, flags = PARENTHESIS | SIGNS): void {
    const { units } = text;
    let head = start;
    let columns = 0;
    let unit = BLANK;
    for (; head < end; head++) {
      unit = units[head] as number;
      if (unit === BLANK) columns++;
      else if (unit === TAB) columns += TAB_COLUMNS;
      else break;
    }
    const index = this.count++;
    this.texts[index] = text;
    this.starts[index] = start;
    this.ends[index] = end;
    this.heads[index] = head;
    this.indents[index] = head === end || unit === RETURN ? -1 : columns;
    this.firsts[index] = unit;
    this.meanings[index] = unit > LAST_ASCII ? ANYTHING : meaningAt(units, head);
    this.#flags[index] = flags;
  }

  /** A line; undefined behind the last. */
  text(index: number): string | undefined {
    return index < this.count ? this.texts[index]?.text.slice(this.starts[index], this.ends[index]) : undefined;
  }

  /** What the ranges of a line are ranges of, as numbers. */
  units(index: number): Uint8Array {
    return (this.texts[index] as SourceText).units;
  }

  /** The lines from one index to before another, as far as there are such. */
  slice(from: number, to: number): string[] {
    const lines: string[] = [];
    for (let index = from; index < to && index < this.count; index++) lines.push(this.text(index) as string);
    return lines;
  }

  /** True when a parenthesis opens on a line. */
  opensParenthesis(index: number): boolean {
    return ((this.#flags[index] as number) & PARENTHESIS) !== 0 && (this.text(index) as string).includes("(");
  }

  /** True when a sign stands on a line. */
  has(sign: Sign, index: number): boolean {
    return ((this.#flags[index] as number) & SIGNS) !== 0 && (this.text(index) as string).includes(sign);
  }

  /** The last character that is no white space, of a line that is not blank. */
  last(index: number): number {
    const unit = this.units(index)[(this.ends[index] as number) - 1] as number;
    if (unit > BLANK && unit <= LAST_ASCII) return unit;
    const text = (this.text(index) as string).trimEnd();
    return text.charCodeAt(text.length - 1);
  }

  /** Drops the first lines. */
  drop(count: number): void {
    dropFirst(this.texts, count, this.count);
    const { starts, ends, heads, indents, firsts, meanings } = this;
    for (const column of [starts, ends, heads, indents, firsts, meanings, this.#flags])
      column.copyWithin(0, count, this.count);
    this.count -= count;
  }
}

/** Moves what is left of a column to its front; what then stands behind it is written over. */
export function dropFirst<T>(column: T[], count: number, length: number): void {
  for (let index = count; index < length; index++) column[index - count] = column[index] as T;
}
