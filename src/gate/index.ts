export type { Hint } from "./hint.ts";
export { type CountersRecord, STATS_FILE } from "./ledger.ts";
export type { NextCall, ShellLine, ToolCall } from "./next-calls.ts";
export { governResponse } from "./observation.ts";
export {
  ObservationTruncator,
  type ObservationTruncatorOptions,
  type TruncateResponseOptions,
} from "./observation-truncator.ts";
export { evaluatePermission, type PermissionAction, type PermissionRule } from "./permissions.ts";
export type { ReadRange } from "./read-range.ts";
export type { Reader, ReaderOptions, ShellCommand } from "./reader.ts";
export { type EnvelopeBase, renderEnvelope, truncationFacts } from "./render/envelope.ts";
export { type HintPlace, renderHint } from "./render/hint-text.ts";
export { renderMessage } from "./render/message.ts";
export { renderWrapper, type Wrapper } from "./render/wrapper.ts";
export { createSpillway } from "./spillway.ts";
export type * from "./types.ts";
