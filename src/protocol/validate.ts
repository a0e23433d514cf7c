import { isObject } from "../bytes/json/is-object.ts";
import { TOOL_ERROR_CODES, TOOL_STATUSES } from "./types.ts";

/** One broken rule. `rule` is stable, `path` names the place ("data.truncated"), `message` is for people. */
export interface ValidationIssue {
  readonly rule: RuleId;
  readonly path: string;
  readonly message: string;
}

/** `warnings` list what is allowed but discouraged; absent if there are none. */
export type Validation =
  | { readonly ok: true; readonly warnings?: readonly ValidationIssue[] }
  | { readonly ok: false; readonly issues: readonly ValidationIssue[]; readonly warnings?: readonly ValidationIssue[] };

/** The kinds of tools with fixed data fields. */
export type ToolKind = "ls" | "glob" | "grep" | "read" | "edit" | "write";

export interface ValidateOptions {
  /** Also checks the data fields that every tool of this kind must have; an error may leave them out. */
  readonly kind?: ToolKind | undefined;
}

/** Every rule of the validator, with its requirement. */
export const RULES = {
  "envelope.object": "The envelope is an object.",
  "envelope.unknown_key": "No top-level key but status, data, text, error, stats and context.",
  "status.known": 'status is "success", "partial" or "error".',
  "data.object": "data is an object, never null and never an array.",
  "data.truncated": "data.truncated, when there, is a boolean.",
  "data.truncation": "data.truncation, beside truncated: true, holds the facts of the truncation.",
  "data.kind": "The data fields of this kind of tool are there and have their shape.",
  "text.string": "text is a string.",
  "text.empty": "A partial or error envelope says in text what happened and what to do next.",
  "error.missing": 'Status "error" needs an error object.',
  "error.unexpected": 'error stands only with status "error".',
  "error.shape": "error holds exactly code and message, both strings and not empty.",
  "error.code": "error.code is one of the ten codes (another is kept, with a warning).",
  "success.truncated": "A truncated result is partial.",
  "success.fallback": "A result of a fallback is partial.",
  "success.not_applied": "A change that was not applied is partial.",
  "success.failed_items": "A result with failed items is partial.",
  "stats.object": "stats is an object.",
  "stats.time_ms": "stats.time_ms is a finite number of at least 0.",
  "stats.value": "Every value in stats is a finite number or a string.",
  "context.object": "context is an object.",
  "context.cwd": 'context.cwd is a path relative to the root, "." for the root itself.',
  "context.params_input": "context.params_input holds the parameters as they were given.",
  "context.path_resolved": "context.path_resolved, when there, is a relative POSIX path.",
  "context.truncation_skip": "context.truncation_skip, when there, is a boolean.",
} as const;

/** A stable name of a rule. */
export type RuleId = keyof typeof RULES;

/** Rules that only cause warnings. */
const WARNING_RULES: ReadonlySet<RuleId> = new Set<RuleId>(["error.code"]);

type Report = (rule: RuleId, path: string, message?: string) => void;
type Fields = Record<string, unknown>;

const TOP_LEVEL = new Set(["status", "data", "text", "error", "stats", "context"]);

/** Says whether a value is a correct ToolResponse, and which rules it breaks. Never throws. */
export function validateToolResponse(value: unknown, options: ValidateOptions = {}): Validation {
  const issues: ValidationIssue[] = [];
  const warnings: ValidationIssue[] = [];
  const report: Report = (rule, path, message = RULES[rule]) =>
    (WARNING_RULES.has(rule) ? warnings : issues).push({ rule, path, message });
  if (!isObject(value)) {
    report("envelope.object", "");
    return { ok: false, issues };
  }
  for (const key of Object.keys(value)) {
    if (!TOP_LEVEL.has(key)) report("envelope.unknown_key", key, `"${key}" is not a key of the envelope.`);
  }
  if (!TOOL_STATUSES.includes(value.status as never)) report("status.known", "status");
  checkText(value, report);
  checkError(value, report);
  checkData(value, options.kind, report);
  checkStats(value.stats, report);
  checkContext(value.context, report);
  const warned = warnings.length === 0 ? {} : { warnings };
  return issues.length === 0 ? { ok: true, ...warned } : { ok: false, issues, ...warned };
}

function checkText(envelope: Fields, report: Report): void {
  if (typeof envelope.text !== "string") report("text.string", "text");
  else if (envelope.status !== "success" && envelope.text.trim() === "") report("text.empty", "text");
}

function checkError(envelope: Fields, report: Report): void {
  const { error, status } = envelope;
  if (error === undefined || error === null) {
    if (status === "error") report("error.missing", "error");
    return;
  }
  if (status !== "error") report("error.unexpected", "error");
  if (!isObject(error)) {
    report("error.shape", "error");
    return;
  }
  const extra = Object.keys(error).find((key) => key !== "code" && key !== "message");
  if (extra !== undefined) report("error.shape", `error.${extra}`);
  if (typeof error.message !== "string" || error.message.trim() === "") report("error.shape", "error.message");
  if (typeof error.code !== "string" || error.code.trim() === "") report("error.shape", "error.code");
  else if (!TOOL_ERROR_CODES.includes(error.code as never)) report("error.code", "error.code");
}

function checkData(envelope: Fields, kind: ToolKind | undefined, report: Report): void {
  const { data, status } = envelope;
  if (!isObject(data)) {
    report("data.object", "data");
    return;
  }
  if (data.truncated !== undefined && typeof data.truncated !== "boolean") report("data.truncated", "data.truncated");
  if (data.truncated === true && data.truncation !== undefined) checkTruncation(data.truncation, report);
  if (status === "success") {
    if (data.truncated === true) report("success.truncated", "data.truncated");
    if (data.fallback !== undefined && data.fallback !== null && data.fallback !== false) {
      report("success.fallback", "data.fallback");
    }
    if (data.applied === false) report("success.not_applied", "data.applied");
    if (Array.isArray(data.failed_items) && data.failed_items.length > 0) {
      report("success.failed_items", "data.failed_items");
    }
  }
  const boundedByGate = data.truncated === true && isObject(data.truncation);
  if (kind !== undefined && status !== "error" && !boundedByGate) checkKind(data, kind, report);
}

const COUNTS = ["max_lines", "max_bytes", "original_lines", "original_bytes", "kept_lines", "kept_bytes"];

function checkTruncation(facts: unknown, report: Report): void {
  const at = "data.truncation";
  if (!isObject(facts)) {
    report("data.truncation", at);
    return;
  }
  if (typeof facts.direction !== "string") report("data.truncation", `${at}.direction`);
  for (const key of COUNTS) {
    const unlimited = key.startsWith("max_") && facts[key] === null;
    if (!unlimited && !(typeof facts[key] === "number" && facts[key] >= 0)) report("data.truncation", `${at}.${key}`);
  }
  const path = facts.full_output_path;
  if (path === null) {
    if (typeof facts.lost !== "string" || facts.lost === "") report("data.truncation", `${at}.lost`);
  } else if (typeof path !== "string" || path === "") {
    report("data.truncation", `${at}.full_output_path`);
  }
}

const ENTRY_TYPES = new Set(["file", "dir", "link"]);

function checkKind(data: Fields, kind: ToolKind, report: Report): void {
  const demand = (holds: boolean, field: string) => {
    if (!holds) report("data.kind", `data.${field}`, `A ${kind} tool gives data.${field}, with its fixed shape.`);
  };
  switch (kind) {
    case "ls":
      demand(
        isArrayOf(data.entries, (e) => typeof e.path === "string" && ENTRY_TYPES.has(e.type as string)),
        "entries",
      );
      break;
    case "glob":
      demand(Array.isArray(data.paths) && data.paths.every((p) => typeof p === "string" && isRelative(p)), "paths");
      break;
    case "grep":
      demand(
        isArrayOf(
          data.matches,
          (m) => typeof m.file === "string" && Number.isInteger(m.line) && typeof m.text === "string",
        ),
        "matches",
      );
      break;
    case "read":
      demand(typeof data.content === "string", "content");
      break;
    default:
      demand(typeof data.applied === "boolean", "applied");
  }
}

function checkStats(stats: unknown, report: Report): void {
  if (!isObject(stats)) {
    report("stats.object", "stats");
    return;
  }
  const time = stats.time_ms;
  if (typeof time !== "number" || !Number.isFinite(time) || time < 0) report("stats.time_ms", "stats.time_ms");
  for (const [key, value] of Object.entries(stats)) {
    const fine = typeof value === "string" || (typeof value === "number" && Number.isFinite(value));
    if (!fine && key !== "time_ms") report("stats.value", `stats.${key}`);
  }
}

function checkContext(context: unknown, report: Report): void {
  if (!isObject(context)) {
    report("context.object", "context");
    return;
  }
  const { cwd, path_resolved: resolved, truncation_skip: skip } = context;
  if (typeof cwd !== "string" || cwd === "" || !isRelative(cwd) || climbs(cwd)) report("context.cwd", "context.cwd");
  if (context.params_input === undefined) report("context.params_input", "context.params_input");
  if (resolved !== undefined && (typeof resolved !== "string" || resolved === "" || !isRelative(resolved))) {
    report("context.path_resolved", "context.path_resolved");
  }
  if (skip !== undefined && typeof skip !== "boolean") report("context.truncation_skip", "context.truncation_skip");
}

function isArrayOf(value: unknown, test: (item: Fields) => boolean): boolean {
  return Array.isArray(value) && value.every((item) => isObject(item) && test(item));
}

function isRelative(path: string): boolean {
  return !/^(?:[/\\]|[A-Za-z]:[/\\])/.test(path);
}

function climbs(path: string): boolean {
  return path.split(/[/\\]/).includes("..");
}
