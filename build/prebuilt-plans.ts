import { assemble } from "../src/bytes/webassembly.ts";
import { finderModule } from "../src/preview/smart/log/finder-module.ts";
import { packPlan } from "../src/preview/smart/log/packed-plan.ts";
import { RULE_BANKS } from "../src/preview/smart/log/row-finder.ts";
import { rulesWithoutWords } from "../src/preview/smart/log/rules/rule-filter.ts";
import { RULES } from "../src/preview/smart/log/rules/rules.ts";
import { planWords } from "../src/preview/smart/log/rules/word-automaton.ts";

interface LoadPlugin {
  readonly name: string;
  load(id: string): string | undefined;
}

/** Puts the plan of words and the module that finds them into the bundle, made beforehand. */
export function prebuiltPlans(): LoadPlugin {
  return {
    name: "prebuilt-plans",
    load(id) {
      if (!id.endsWith("src/preview/smart/log/prebuilt.ts")) return undefined;
      const prebuilt = {
        words: packPlan(planWords(), 1 + RULE_BANKS),
        finder: Buffer.from(assemble(finderModule())).toString("base64"),
        always: rulesWithoutWords(RULES),
      };
      // A character that JSON would escape can stand in a string of a script as it is.
      const source = JSON.stringify(prebuilt).replace(/\\u00([01][0-9a-f])/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      );
      // In a function, since only `smart` needs it.
      return `export function prebuilt() { return ${source}; }`;
    },
  };
}
