import { looksLikeConfig } from "./config/looks-like-config.ts";
import { looksLikeProse } from "./prose/looks-like-prose.ts";
import { looksLikeRecords } from "./records/records-grammar.ts";

/** What kind of document the first lines, and these without blank ones, belong to; undefined for none. */
export function documentShape(
  lines: readonly string[],
  filled: readonly string[],
): "prose" | "settings" | "records" | undefined {
  if (looksLikeRecords(lines)) return "records";
  if (looksLikeProse(lines)) return "prose";
  return looksLikeConfig(filled) ? "settings" : undefined;
}
