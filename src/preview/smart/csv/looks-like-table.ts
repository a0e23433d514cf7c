import { DIAGNOSTIC, LOGGED, lessThan, type Sample } from "../sample.ts";
import { findAlignedColumns, isRule } from "./aligned-columns.ts";

/** The header of CSV, whose rows may begin with paths. */
const COLUMN_NAMES = /^[A-Za-z_]\w*(?:[,;\t][A-Za-z_]\w*){2,}$/;
/** A row of `go tool cover -func`, which begins like a search result. */
const FUNCTION_COVERAGE = /:\d+:\t+\S+\s+\d+\.\d%$/;

/** Delimited rows under the names of their columns. */
export function looksTitled({ filled }: Sample): boolean {
  return COLUMN_NAMES.test(filled[0] ?? "") && looksLikeTable(filled);
}

/** Functions with the share of each that tests have run. */
export function looksLikeCoverage({ filled }: Sample): boolean {
  return !lessThan(0.8, filled, FUNCTION_COVERAGE);
}

/** A column of numbers looks like what a logger puts before its lines, unless a rule under the names says better. */
export function looksAligned({ lines, filled }: Sample): boolean {
  const ruled = isRule(filled[1] ?? "");
  if (!ruled && !lessThan(0.5, filled, LOGGED)) return false;
  return findAlignedColumns(lines) !== undefined;
}

/** Columns between commas, tabs and the like, unless a logger or a compiler wrote them. */
export function looksDelimited({ filled }: Sample): boolean {
  if (!looksLikeTable(filled) || !lessThan(0.3, filled, DIAGNOSTIC)) return false;
  const titled = !/\d{2}/.test(filled[0] ?? "");
  return titled || lessThan(0.5, filled, LOGGED);
}

/** True when nearly all lines have the same number of one delimiter. */
export function looksLikeTable(lines: readonly string[]): boolean {
  const filled = lines.slice(0, 60).filter((line) => !isRule(line));
  const rows = filled.map((line) => (line.includes('"') ? line.replace(/"(?:[^"]|"")*"/g, "") : line));
  return ["\t", ",", ";", "|", "│"].some((delimiter) => {
    const usual = countOf(rows[0] ?? "", delimiter);
    if (usual < (delimiter === "\t" || isPair(rows) ? 1 : 2)) return false;
    return rows.filter((row) => countOf(row, delimiter) === usual).length / rows.length > 0.9;
  });
}

/** Two columns under their names, with no blank in any cell: prose has a comma in a line too. */
function isPair(rows: readonly string[]): boolean {
  return (
    rows.length > 20 && /^[A-Za-z_]\w*[,;][A-Za-z_]\w*$/.test(rows[0] ?? "") && rows.every((row) => !/\s/.test(row))
  );
}

function countOf(text: string, character: string): number {
  let count = 0;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) count++;
  return count;
}
