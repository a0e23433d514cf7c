import { looksLikeConfig } from "./config/looks-like-config.ts";
import { looksLikeDescription } from "./describe/describe-grammar.ts";
import { looksLikePlan } from "./plan/plan-grammar.ts";
import { looksLikeProse } from "./prose/looks-like-prose.ts";
import { looksLikeRecords } from "./records/records-grammar.ts";
import { looksLikeSnapshot } from "./snapshot/snapshot-line.ts";

const NESTED_KEY = /^\s{2,}[\w.-]+:(?:\s|$)/;
const LEAST_NESTED = 0.2;

/** What kind of document the first lines, and these without blank ones, belong to; undefined for none. */
export function documentShape(
  lines: readonly string[],
  filled: readonly string[],
): "prose" | "settings" | "records" | "plan" | "description" | "snapshot" | undefined {
  if (looksLikeSnapshot(filled)) return "snapshot";
  if (looksLikePlan(filled)) return "plan";
  if (looksLikeDescription(filled)) return "description";
  if (looksLikeRecords(lines)) return "records";
  const prose = looksLikeProse(lines);
  // Comments of nested settings look like headings.
  if (prose && filled.filter((line) => NESTED_KEY.test(line)).length < LEAST_NESTED * filled.length) return "prose";
  return looksLikeConfig(filled) ? "settings" : prose ? "prose" : undefined;
}
