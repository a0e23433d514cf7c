export { type DefineStoreOptions, defineStore, type StoreFunctions } from "./artifacts/defined/define-store.ts";
export { createLocalStore, type LocalStore, type LocalStoreOptions } from "./artifacts/local/local-store.ts";
export { createMemoryStore, type MemoryStoreOptions } from "./artifacts/memory-store.ts";
export type { ArtifactLocation, ArtifactStore, Manifest } from "./artifacts/types.ts";
export { isSpillwayError, SpillwayError, type SpillwayErrorCode, type SpillwayErrorOptions } from "./errors.ts";
export type { Hint, NextCall, ShellLine, ToolCall } from "./gate/hint.ts";
export type { CountersRecord } from "./gate/ledger.ts";
export {
  ObservationTruncator,
  type ObservationTruncatorOptions,
  type TruncateResponseOptions,
} from "./gate/observation-truncator.ts";
export type { PermissionAction, PermissionRule } from "./gate/permissions.ts";
export type { Reader, ReaderOptions, ShellCommand } from "./gate/reader.ts";
export type { ToolCounters, TruncationRecord } from "./gate/records.ts";
export { type EnvelopeBase, renderEnvelope } from "./gate/render/envelope.ts";
export { type HintPlace, renderHint } from "./gate/render/hint-text.ts";
export { renderMessage } from "./gate/render/notice.ts";
export { renderWrapper, type WholeWrapper, type Wrapper } from "./gate/render/wrapper.ts";
export { createSpillway } from "./gate/spillway.ts";
export type {
  BoundedResult,
  Capture,
  ExecOptions,
  FileOutput,
  Governed,
  GovernOptions,
  GovernProcessOptions,
  ItemCount,
  KeepOptions,
  Kept,
  KeptStructure,
  Logger,
  Outcome,
  Output,
  PlainOutput,
  ProcessResult,
  ResponseOutput,
  Shown,
  Spillway,
  SpillwayOptions,
  Storage,
  WholeResult,
} from "./gate/types.ts";
export { PRESETS, type PresetName } from "./limits/defaults.ts";
export type { ResolvedLimits } from "./limits/resolve.ts";
export type { ConfiguredStrategy, LimitOptions, Limits, Strategy } from "./limits/types.ts";
export type { KeptBlock, Omission, Preview, Size } from "./preview/types.ts";
export type {
  ToolContext,
  ToolError,
  ToolErrorCode,
  ToolResponse,
  ToolStats,
  TruncationFacts,
} from "./protocol/types.ts";
export { SecretNumbers } from "./redact/secret-numbers.ts";
export type { RedactOptions } from "./redact/settings.ts";
export {
  type DefinedTool,
  type ParameterSchema,
  type TextToolDefinition,
  type TextToolResult,
  Tool,
  type ToolCallContext,
  type ToolInfo,
  type ToolInitContext,
} from "./tool-define.ts";
export { Truncate, type TruncateAgent, type TruncateOptions, type TruncateResult } from "./truncate.ts";
