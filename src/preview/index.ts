export type { Limits, Strategy } from "../limits/types.ts";
export { createAccumulator } from "./accumulator.ts";
export { cleanLine, cleanText } from "./clean.ts";
export { measure } from "./measure.ts";
export { formatCount, formatPlural, renderOmission } from "./omission.ts";
export { type PreviewOptions, preview } from "./preview.ts";
export { estimateTokens } from "./tokens/estimate-tokens.ts";
export type {
  Accumulator,
  AccumulatorOptions,
  FinishOptions,
  KeptBlock,
  Omission,
  Preview,
  Reserve,
  Size,
} from "./types.ts";
