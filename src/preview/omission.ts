import { OPEN } from "./mark.ts";
import type { Omission } from "./types.ts";

const THOUSANDS = /\B(?=(?:\d{3})+$)/g;

/** 1203 as "1,203"; by hand, since a number format takes longer to load than all else at start. */
export function formatCount(count: number): string {
  return String(count).replace(THOUSANDS, ",");
}

/** "1 line", "1,203 lines". */
export function formatPlural(count: number, singular: string): string {
  return `${formatCount(count)} ${pluralOf(count, singular)}`;
}

/** The noun alone: "line", "lines", "matches", "entries", "keys". */
export function pluralOf(count: number, singular: string): string {
  if (count === 1) return singular;
  return /[^aeiou]y$/.test(singular)
    ? `${singular.slice(0, -1)}ies`
    : `${singular}${singular.endsWith("ch") ? "es" : "s"}`;
}

/** "lines 3-7", or "line 3". */
export function formatLineRange(startLine: number, endLine: number): string {
  return startLine === endLine ? `line ${startLine}` : `lines ${startLine}-${endLine}`;
}

interface MarkerOptions {
  /** Drops the character and byte counts. @default false */
  readonly compact?: boolean;
  /** How many lines are like the one before the marker and not shown; "all" if the region holds these alone. @default 0 */
  readonly similar?: number | "all" | undefined;
  /** How many lines before the marker are repeated together, so many times. @default 1 */
  readonly cycle?: number;
}

/**
 * The one-line marker that stands where a region was left out. Whole lines are named by line range; a region inside
 * lines by its byte range, since that is how it can be read back.
 */
export function renderOmission(omission: Omission, options: MarkerOptions = {}): string {
  const { lines, bytes, chars, startLine, endLine, startByte, endByte } = omission;
  const sizes =
    chars === bytes
      ? formatPlural(chars, "character")
      : `${formatPlural(chars, "character")}, ${formatPlural(bytes, "byte")}`;
  if (lines === 0) {
    const place = startLine === endLine ? ` of line ${startLine}` : "";
    return `${OPEN} ${sizes}${place} omitted: bytes ${startByte}-${endByte} …`;
  }
  const where =
    lines === endLine - startLine + 1 ? formatLineRange(startLine, endLine) : `bytes ${startByte}-${endByte}`;
  const { similar = 0, cycle = 1 } = options;
  const one = cycle === 1 ? "more line" : "more time";
  const what = cycle === 1 ? `like one above ${similar === 1 ? "is" : "are"} not shown` : `the ${cycle} lines above`;
  const some = similar === "all" ? "all like the one above" : `${formatPlural(similar, one)} ${what}`;
  const like = similar === 0 ? "" : `; ${some}`;
  if (options.compact === true) return `${OPEN} ${formatPlural(lines, "line")} omitted: ${where}${like} …`;
  return `${OPEN} ${formatPlural(lines, "line")} (${sizes}) omitted: ${where} …`;
}
