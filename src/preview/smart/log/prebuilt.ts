import type { PackedPlan } from "./packed-plan.ts";

/** Plans that the build makes beforehand, since the first preview of a process would spend most of its time on them. */
export interface Prebuilt {
  readonly words?: PackedPlan;
  readonly rules?: { readonly plan: PackedPlan; readonly always: readonly number[] };
}

/** None in the source; `build/prebuilt-plans.ts` puts them here. */
export function prebuilt(): Prebuilt {
  return {};
}
