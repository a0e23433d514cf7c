import type { PackedPlan } from "./packed-plan.ts";

/** What the build makes beforehand, since the first preview of a process would spend most of its time on it. */
export interface Prebuilt {
  readonly words?: PackedPlan;
  /** The module that finds them, in Base64. */
  readonly finder?: string;
  /** The rules that require no words, by index. */
  readonly always?: readonly number[];
}

/** None in the source; `build/prebuilt-plans.ts` puts them here. */
export function prebuilt(): Prebuilt {
  return {};
}
