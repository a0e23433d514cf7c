import { encodeSlices } from "../bytes/utf8.ts";
import { SpillwayError } from "../errors.ts";
import { completePreviewLimits } from "../limits/defaults.ts";
import { checkOptions, kinds, LIMIT_CHECKS, showValue } from "../limits/options.ts";
import { type LimitOptions, STRATEGIES, type Strategy } from "../limits/types.ts";
import { checkQuery, type Query } from "../query/query-context.ts";
import { createAccumulator, FINISH_CHECKS } from "./accumulator.ts";
import type { FinishOptions, Preview } from "./types.ts";

export interface PreviewOptions extends Omit<LimitOptions, "strategy">, FinishOptions {
  /** What of the text is kept. @default "head" */
  readonly strategy?: Strategy | undefined;
  /** The reader's question, or what is known of why the call was made; `smart` ranks by it. */
  readonly query?: Query | undefined;
  /** Exact token counter. @default `estimateTokens`, which is never too low for o200k_base */
  readonly countTokens?: ((text: string) => number) | undefined;
}

const PREVIEW_CHECKS = {
  ...LIMIT_CHECKS,
  strategy: kinds.oneOf(...STRATEGIES),
  query: checkQuery,
  countTokens: kinds.call,
  ...FINISH_CHECKS,
} satisfies Record<keyof PreviewOptions, unknown>;

/** A bounded view of a text: `text` exceeds no limit, markers included, and every omission is counted. */
export function preview(text: string, options: PreviewOptions = {}): Preview {
  if (typeof text !== "string")
    throw new SpillwayError("INVALID_ARGUMENT", `preview() takes a string, not ${showValue(text)}.`);
  const checked = checkOptions(options, PREVIEW_CHECKS, "preview()");
  const { strategy = "head", query, countTokens, reserve, markers, mark, failed } = checked;
  const limits = completePreviewLimits(options, strategy);
  const accumulator = createAccumulator({ limits, strategy, query, countTokens });
  for (const slice of encodeSlices(text)) accumulator.write(slice);
  const given = options.markersOnTop === true ? "on_top" : markers;
  const result = accumulator.finish({ reserve, markers: given, mark, failed });
  return result.truncated ? result : { ...result, text };
}
