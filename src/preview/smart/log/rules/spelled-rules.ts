import { ASCII } from "../ascii-ends.ts";
import { firstCharacters } from "./first-characters.ts";
import { LateRule } from "./late-rule.ts";
import type { Following, Rule } from "./rule.ts";

/** One text of all rules: an engine takes a literal pattern apart when it reads the file, and again when it makes the pattern. */
export function spellRules(rules: readonly Rule[]): string {
  return rules
    .map(({ score, reason, following = "", before = "", needs, pattern }) =>
      [score, reason, following, before, needs, spellFirst(pattern), pattern.flags, pattern.source].join("\t"),
    )
    .join("\n");
}

/** See `LateRule`. */
function spellFirst(pattern: RegExp): string {
  const characters = firstCharacters(pattern);
  if (characters === undefined) return "";
  const bits = (four: number): number =>
    [0, 1, 2, 3].reduce((sum, bit) => sum | (characters.has(String.fromCharCode(4 * four + bit)) ? 1 << bit : 0), 0);
  return Array.from({ length: ASCII / 4 }, (_, four) => bits(four).toString(16)).join("");
}

/** The rules that were spelled. */
export function readRules(spelled: string): LateRule[] {
  return spelled.split("\n").map((line) => {
    const [score, reason, following, before, needs, first, flags, source] = line.split("\t") as [string, ...string[]];
    return new LateRule(
      Number(score),
      reason ?? "",
      following === "" ? undefined : (following as Following),
      before === "" ? undefined : Number(before),
      Number(needs),
      first ?? "",
      source ?? "",
      flags ?? "",
    );
  });
}
