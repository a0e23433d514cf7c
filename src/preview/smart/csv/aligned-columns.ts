import { unitAt } from "../../../bytes/unit-at.ts";

/** Where the columns of a table begin whose cells stand under each other, told by blanks alone. */
export interface AlignedColumns {
  /** Index of the line that names the columns. */
  readonly header: number;
  readonly names: readonly string[];
  readonly starts: readonly number[];
}

/** Lines from which the columns are read. */
export const ALIGNED_SAMPLE = 72;
const MOST_PREAMBLE = 8;
const LEAST_ROWS = 8;
const MOST_CHARS = 400;
const MOST_COLUMNS = 24;
/** So many rows leave a gap between columns blank; a few overflow. */
const BLANK_SHARE = 0.95;
/** So many rows have something after it. */
const FILLED_SHARE = 0.3;
const NUMBER = /^[-+]?[\d.,:]+[%A-Za-z]{0,2}$/;
/** Three words and more; no sentence, no time, no path. */
const TITLE = /^ *[\w%#|/().:-]+(?: +[\w%#|/().:-]+){2,}\s*$/;
const NAMED = /^\d{0,4}[A-Za-z%#|][\w%#|/().: -]{0,40}$/;

/** Finds the columns of `ps`, `df`, `kubectl get` and the like: a line of names, and gaps that all rows share. */
export function findAlignedColumns(lines: readonly string[]): AlignedColumns | undefined {
  const sample = lines.slice(0, ALIGNED_SAMPLE);
  for (let header = 0; header < Math.min(MOST_PREAMBLE, sample.length - LEAST_ROWS); header++) {
    const title = sample[header] ?? "";
    if (!TITLE.test(title) || isRule(title)) continue;
    const rows = sample.slice(header + 1).filter((row) => row.trim() !== "" && !isRule(row));
    const gaps = rows.length < LEAST_ROWS ? [] : findStarts([title, ...rows]);
    // Where the names leave a column empty, words of one cell stand under each other by chance.
    const starts = gaps.filter((from, index) => index === 0 || title.slice(from, gaps[index + 1]).trim() !== "");
    if (starts.length < 3) continue;
    const names = splitAligned(title, starts);
    if (names.every((name) => NAMED.test(name)) && isTitled(title, sample[header + 1] ?? "", rows, starts)) {
      return { header, names, starts };
    }
  }
  return undefined;
}

/** The cells of a row; a word that reaches over a column's edge stays whole. */
export function splitAligned(row: string, starts: readonly number[]): string[] {
  const cells: string[] = [];
  let from = 0;
  for (let column = 1; column <= starts.length; column++) {
    let to = starts[column] ?? row.length;
    if (column < starts.length) {
      const edge = to;
      while (to > from && to < row.length && row.charCodeAt(to) > 32 && row.charCodeAt(to - 1) > 32) to++;
      if (to > edge) to = numberBefore(row, from, edge, to);
    }
    cells.push(row.slice(from, to).trim());
    from = Math.max(from, to);
  }
  return cells;
}

/** Where a number begins that is set to the right and too wide for its own column; `to` when there is none. */
function numberBefore(row: string, from: number, edge: number, to: number): number {
  const blank = row.lastIndexOf(" ", edge);
  return blank > from && NUMBER.test(row.slice(blank + 1, to)) && row.slice(from, blank).trim() !== "" ? blank : to;
}

/** True for a line that pays no heed to the columns. */
export function breaksColumns(row: string, starts: readonly number[]): boolean {
  let broken = 0;
  for (const start of starts) if (start > 0 && unitAt(row, start - 1) > 32) broken++;
  return broken > starts.length / 3;
}

function findStarts(lines: readonly string[]): number[] {
  const [title = ""] = lines;
  const lengths = lines.map((line) => line.trimEnd().length).sort((a, b) => b - a);
  const end = Math.min(MOST_CHARS, lengths[Math.ceil(FILLED_SHARE * lines.length) - 1] ?? 0);
  const starts: number[] = [];
  let gap = true;
  for (let at = 0; at < end && starts.length < MOST_COLUMNS; at++) {
    // The names must leave the gap free too, or it lies within a column.
    const free = !(title.charCodeAt(at) > 32) && isBlankColumn(lines, at);
    if (!free && gap) starts.push(at);
    gap = free;
  }
  return starts;
}

/** Most columns are soon seen to be filled. */
function isBlankColumn(lines: readonly string[], at: number): boolean {
  const least = BLANK_SHARE * lines.length;
  let blank = lines.length;
  for (const line of lines) {
    if (at < line.length && line.charCodeAt(at) !== 32 && --blank < least) return false;
  }
  return true;
}

/** True when the first line names what stands below it, and is no row of its own kind. */
function isTitled(title: string, next: string, rows: readonly string[], starts: readonly number[]): boolean {
  if (isRule(next)) return true;
  const letters = title.replace(/[^A-Za-z]/g, "");
  if (letters.replace(/[^A-Z]/g, "").length > 0.7 * letters.length) return true;
  return starts.some((_, column) => {
    const numbers = rows.filter((row) => NUMBER.test(splitAligned(row, starts)[column] ?? ""));
    return numbers.length > 0.8 * rows.length;
  });
}

const RULE = /^(?=.*-)[\s|+:=-]{3,}$/;
/** Characters that draw boxes: U+2500 to U+257F. */
const DRAWN_RULE = /^\s*[\u2500-\u257f]{3,}\s*$/;

/** A rule between header and rows, as psql, markdown and others draw it. */
export function isRule(row: string): boolean {
  const first = unitAt(row, 0);
  if (first >= 0x2500 && first <= 0x257f) return DRAWN_RULE.test(row);
  // Letters, digits and quotes, with which nearly all rows begin, need no closer look.
  if (first > 61 && first !== 124) return false;
  return (
    (first <= 32 || first === 43 || first === 45 || first === 58 || first === 61 || first === 124) && RULE.test(row)
  );
}
