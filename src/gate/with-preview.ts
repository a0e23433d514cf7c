import type { Limits } from "../limits/types.ts";
import type { Preview } from "../preview/types.ts";
import type { BoundedResult } from "./types.ts";

/** A bounded result with another preview of the same output, made elsewhere within these limits. */
export function withPreview(governed: BoundedResult, preview: Preview, limits: Limits): BoundedResult {
  return { ...governed, limits, preview, size: preview.source, strategy: preview.strategy };
}
