import type { Omission } from "./types.ts";

const THOUSANDS = /\B(?=(?:\d{3})+$)/g;

/** 1203 as "1,203"; by hand, since a number format takes longer to load than all else at start. */
export function formatCount(count: number): string {
  return String(count).replace(THOUSANDS, ",");
}

/** "1 line", "1,203 lines". */
export function formatPlural(count: number, singular: string): string {
  return `${formatCount(count)} ${singular}${count === 1 ? "" : "s"}`;
}

/** "lines 3-7", or "line 3". */
export function formatLineRange(startLine: number, endLine: number): string {
  return startLine === endLine ? `line ${startLine}` : `lines ${startLine}-${endLine}`;
}

interface MarkerOptions {
  /** Drops the character and byte counts. @default false */
  readonly compact?: boolean;
  /** How many lines of the whole output are like the one before the marker and not shown. @default 0 */
  readonly similar?: number;
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
    return `… ${sizes}${place} omitted: bytes ${startByte}-${endByte} …`;
  }
  const where =
    lines === endLine - startLine + 1 ? formatLineRange(startLine, endLine) : `bytes ${startByte}-${endByte}`;
  const similar = options.similar ?? 0;
  const like = similar === 0 ? "" : `; ${formatPlural(similar, "more line")} like one above are not shown`;
  if (options.compact === true) return `… ${formatPlural(lines, "line")} omitted: ${where}${like} …`;
  return `… ${formatPlural(lines, "line")} (${sizes}) omitted: ${where} …`;
}
