export type { Limits, Strategy } from "../limits/types.ts";
export { createAccumulator } from "./accumulator.ts";
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
