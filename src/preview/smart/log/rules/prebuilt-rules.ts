import { RULES } from "./rules.ts";
import { spellRules } from "./spelled-rules.ts";

/** All rules, strongest first, as one text; `build/prebuilt-plans.ts` puts a function with the result in the place of this one. */
export function spellAllRules(): string {
  return spellRules(RULES);
}
