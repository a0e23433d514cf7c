export {
  type CompleteData,
  type FailureParts,
  failure,
  type PartialParts,
  partial,
  type Reduction,
  type SuccessParts,
  success,
  ToolFailure,
  type ToolFailureOptions,
} from "./builder.ts";
export { fromLegacy, type LegacyOptions } from "./from-legacy.ts";
export { toolResponseJsonSchema, toolResponseSchema } from "./schema.ts";
export {
  type AnyErrorCode,
  TOOL_ERROR_CODES,
  type ToolContext,
  type ToolError,
  type ToolErrorCode,
  type ToolResponse,
  type ToolStats,
  type ToolStatus,
  type TruncationFacts,
} from "./types.ts";
export {
  type RuleId,
  type ToolKind,
  type ValidateOptions,
  type Validation,
  type ValidationIssue,
  validateToolResponse,
} from "./validate.ts";
