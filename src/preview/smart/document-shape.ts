import { looksLikeConfig } from "./config/looks-like-config.ts";
import { looksLikeDescription } from "./describe/describe-grammar.ts";
import { looksLikePlan } from "./plan/plan-grammar.ts";
import { looksLikeProse } from "./prose/looks-like-prose.ts";
import { looksLikeRecords } from "./records/records-grammar.ts";
import { looksLikeSnapshot } from "./snapshot/snapshot-line.ts";

/** What kind of document the first lines, and these without blank ones, belong to; undefined for none. */
export function documentShape(
  lines: readonly string[],
  filled: readonly string[],
): "prose" | "settings" | "records" | "plan" | "description" | "snapshot" | undefined {
  if (looksLikeSnapshot(filled)) return "snapshot";
  if (looksLikePlan(filled)) return "plan";
  if (looksLikeDescription(filled)) return "description";
  if (looksLikeRecords(lines)) return "records";
  if (looksLikeProse(lines)) return "prose";
  return looksLikeConfig(filled) ? "settings" : undefined;
}
