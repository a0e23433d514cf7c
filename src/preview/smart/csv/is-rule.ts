import { unitAt } from "../../lines/unit-at.ts";

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
