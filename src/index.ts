export { type ArtifactStore, createLocalStore, createMemoryStore, type Manifest } from "./artifacts/index.ts";
export { isSpillwayError, SpillwayError, type SpillwayErrorCode } from "./errors.ts";
export * from "./gate/index.ts";
export { PRESETS, type PresetName } from "./limits/presets.ts";
export type { LimitOptions, Limits, Strategy } from "./limits/types.ts";
export { type Preview, type PreviewOptions, preview } from "./preview/index.ts";
export type { ToolErrorCode, ToolResponse, TruncationFacts } from "./protocol/types.ts";
export {
  type DefinedTool,
  Tool,
  type ToolDefinition,
  type ToolInfo,
  type ToolInitContext,
  type ToolResult,
} from "./tool-define.ts";
export { Truncate, type TruncateAgent, type TruncateOptions, type TruncateResult } from "./truncate.ts";
