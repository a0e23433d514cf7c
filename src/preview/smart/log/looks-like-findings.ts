import { isFinding } from "./findings.ts";

const FINDINGS_SHARE = 0.3;

/** What linters print may be aligned like a table, or have headings like a document. */
export function looksLikeFindings(lines: readonly string[]): boolean {
  return lines.filter(isFinding).length > Math.max(3, FINDINGS_SHARE * lines.length);
}
