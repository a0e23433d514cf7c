import { LateRule } from "./late-rule.ts";
import type { Following, Rule } from "./rule.ts";

/** One text of all rules: an engine takes a literal pattern apart when it reads the file, and again when it makes the pattern. */
export function spellRules(rules: readonly Rule[]): string {
  return rules
    .map(({ score, reason, following = "", before = "", needs, pattern }) =>
      [score, reason, following, before, needs, pattern.flags, pattern.source].join("\t"),
    )
    .join("\n");
}

/** The rules that were spelled. */
export function readRules(spelled: string): LateRule[] {
  return spelled.split("\n").map((line) => {
    const [score, reason, following, before, needs, flags, source] = line.split("\t") as [string, ...string[]];
    return new LateRule(
      Number(score),
      reason ?? "",
      following === "" ? undefined : (following as Following),
      before === "" ? undefined : Number(before),
      Number(needs),
      source ?? "",
      flags ?? "",
    );
  });
}
