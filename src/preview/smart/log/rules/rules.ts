import { COMPILER_RULES } from "./compilers.ts";
import { EXCEPTION_RULES } from "./exceptions.ts";
import { GENERAL_RULES } from "./general.ts";
import type { Rule } from "./rule.ts";
import { SYSTEM_RULES } from "./systems.ts";
import { TEST_RULES } from "./tests.ts";

/** All rules, strongest first. */
export const RULES: readonly Rule[] = [
  ...COMPILER_RULES,
  ...TEST_RULES,
  ...EXCEPTION_RULES,
  ...SYSTEM_RULES,
  ...GENERAL_RULES,
].sort((a, b) => b.score - a.score);
