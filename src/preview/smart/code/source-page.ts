import { SignSearch } from "./sign-search.ts";

const TAB = 9;
const RETURN = 13;
const BLANK = 32;
const TAB_COLUMNS = 8;

/**
 * Lines of source in columns: each is a range of a text that it shares with its neighbours, and most of them are judged
 * without ever being a text of their own.
 */
export class SourcePage {
  count = 0;
  /** What a line is a range of, and the range. */
  readonly texts: string[] = [];
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** Where a line begins after its blanks and tabs. */
  readonly heads: Int32Array;
  /** Columns before that; -1 for a blank line. */
  readonly indents: Int32Array;
  readonly parentheses = new SignSearch(this, "(");
  readonly labels = new SignSearch(this, ": /");
  readonly commentStarts = new SignSearch(this, "/*");
  readonly commentEnds = new SignSearch(this, "*/");
  readonly doubleQuotes = new SignSearch(this, '"""');
  readonly singleQuotes = new SignSearch(this, "'''");

  constructor(capacity: number) {
    this.starts = new Int32Array(capacity);
    this.ends = new Int32Array(capacity);
    this.heads = new Int32Array(capacity);
    this.indents = new Int32Array(capacity);
  }

  add(text: string, start: number, end: number): void {
    let head = start;
    let columns = 0;
    let unit = BLANK;
    for (; head < end; head++) {
      unit = text.charCodeAt(head);
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
  }

  /** A line; undefined behind the last. */
  text(index: number): string | undefined {
    return index < this.count ? this.texts[index]?.slice(this.starts[index], this.ends[index]) : undefined;
  }

  /** The lines from one index to before another, as far as there are such. */
  slice(from: number, to: number): string[] {
    const lines: string[] = [];
    for (let index = from; index < to && index < this.count; index++) lines.push(this.text(index) as string);
    return lines;
  }

  /** The first character after the blanks of a line that is not blank. */
  first(index: number): number {
    return (this.texts[index] as string).charCodeAt(this.heads[index] as number);
  }

  /** The last character that is no white space, of a line that is not blank. */
  last(index: number): number {
    const unit = (this.texts[index] as string).charCodeAt((this.ends[index] as number) - 1);
    if (unit > BLANK && unit < 128) return unit;
    const text = (this.text(index) as string).trimEnd();
    return text.charCodeAt(text.length - 1);
  }

  /** Drops the first lines. */
  drop(count: number): void {
    dropFirst(this.texts, count, this.count);
    for (const column of [this.starts, this.ends, this.heads, this.indents]) column.copyWithin(0, count, this.count);
    this.count -= count;
  }
}

/** Moves what is left of a column to its front; what then stands behind it is written over. */
export function dropFirst<T>(column: T[], count: number, length: number): void {
  for (let index = count; index < length; index++) column[index - count] = column[index] as T;
}
