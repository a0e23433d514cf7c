import { packPlan } from "../src/preview/smart/log/packed-plan.ts";
import { planRules } from "../src/preview/smart/log/rules/classify.ts";
import { planWords } from "../src/preview/smart/log/words.ts";

interface LoadPlugin {
  readonly name: string;
  load(id: string): string | undefined;
}

/** Puts the plans of words and rules into the bundle, made beforehand. */
export function prebuiltPlans(): LoadPlugin {
  return {
    name: "prebuilt-plans",
    load(id) {
      if (!id.endsWith("src/preview/smart/log/prebuilt.ts")) return undefined;
      const { plan, always, banks } = planRules();
      const prebuilt = { words: packPlan(planWords()), rules: { plan: packPlan(plan, banks), always } };
      // A character that JSON would escape can stand in a string of a script as it is.
      const source = JSON.stringify(prebuilt).replace(/\\u00([01][0-9a-f])/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      );
      // In a function, since only `smart` needs it.
      return `export function prebuilt() { return ${source}; }`;
    },
  };
}
