export { createHint } from "./hint.ts";
export { type CountersRecord, STATS_FILE } from "./ledger.ts";
export { governResponse } from "./observation.ts";
export {
  ObservationTruncator,
  type ObservationTruncatorOptions,
  type TruncateResponseOptions,
} from "./observation-truncator.ts";
export { evaluatePermission, type PermissionAction, type PermissionRule } from "./permissions.ts";
export {
  type EnvelopeBase,
  renderEnvelope,
  renderMessage,
  renderWrapper,
  truncationFacts,
  type Wrapper,
} from "./render.ts";
export { createSpillway } from "./spillway.ts";
export type * from "./types.ts";
