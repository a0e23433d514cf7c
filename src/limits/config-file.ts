import { isObject } from "../bytes/json/is-object.ts";
import { invalidConfig, messageOf } from "../errors.ts";
import { parseRedact, type RedactSettings } from "../redact/settings.ts";
import { given, parseBytes, parseFlag, parseLimit, parseStrategy, parseText } from "./check.ts";
import { parseDays } from "./environment.ts";
import { LIMIT_KEYS, MISSPELT_LIMIT } from "./limit-keys.ts";
import { parseStoreSettings, STORE_KEYS, type StoreSettings } from "./store-settings.ts";
import type { LimitOptions } from "./types.ts";
import { parseUserKeys, USER_KEYS, type UserSettings } from "./user-keys.ts";

/** Limits of one tool; what is not a limit (`show_context`, `max_depth`, …) becomes a default of its parameters. */
interface ToolSettings extends LimitOptions {
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** What a file says of summaries; what it leaves out is undefined. */
export interface SummarizationOptions {
  readonly enabled?: boolean | undefined;
  readonly model?: string | undefined;
  readonly maxInputChars?: number | undefined;
  readonly triggerThreshold?: number | undefined;
}

export interface ConfigFile extends UserSettings {
  readonly path: string;
  readonly default: LimitOptions;
  readonly tools: Readonly<Record<string, ToolSettings>>;
  readonly summarization: SummarizationOptions;
  readonly dir?: string | undefined;
  readonly retentionDays?: number | undefined;
  readonly quotaBytes?: number | undefined;
  /** Where artifacts go when not into a folder. */
  readonly store?: StoreSettings | undefined;
  /** Whether, and how, secrets are taken out; absent when the file does not say. */
  readonly redact?: RedactSettings | false | undefined;
}

/** Checks a parsed config; every complaint names the file and the key. */
export function parseConfig(document: unknown, location: string): ConfigFile {
  const top = record(document, location, "the file");
  const output = record(top.tool_output_limits ?? {}, location, "tool_output_limits");
  const known = ["tool_output_limits", "summarization", "artifacts", "redact", ...Object.keys(USER_KEYS)];
  rejectUnknown(top, known, location, "");
  rejectUnknown(output, ["default", "tools"], location, "tool_output_limits.");
  const tools: Record<string, ToolSettings> = {};
  for (const [name, value] of Object.entries(record(output.tools ?? {}, location, "tool_output_limits.tools"))) {
    tools[name] = parseToolSettings(value, location, `tool_output_limits.tools.${name}`);
  }
  const { parameters, ...limits } = parseToolSettings(output.default ?? {}, location, "tool_output_limits.default");
  rejectUnknown(parameters, [], location, "tool_output_limits.default.");
  const artifacts = record(top.artifacts ?? {}, location, "artifacts");
  rejectUnknown(artifacts, ["dir", "retention_days", "quota_bytes", ...STORE_KEYS], location, "artifacts.");
  const summarization = record(top.summarization ?? {}, location, "summarization");
  rejectUnknown(summarization, SUMMARIZATION_KEYS, location, "summarization.");
  return guard(location, () => ({
    path: location,
    default: limits,
    tools,
    summarization: parseSummarization(summarization),
    dir: given(artifacts.dir, "artifacts.dir", parseText),
    retentionDays: given(artifacts.retention_days, "artifacts.retention_days", parseDays),
    quotaBytes: given(artifacts.quota_bytes, "artifacts.quota_bytes", parseBytes),
    store: parseStoreSettings(artifacts),
    redact: given(top.redact, "redact", (value, name) => parseRedact(value, name) ?? false),
    ...parseUserKeys(top),
  }));
}

function parseToolSettings(value: unknown, location: string, key: string): ToolSettings {
  const { max_lines, max_bytes, max_chars, max_tokens, truncation_strategy, strategy, ...parameters } = record(
    value,
    location,
    key,
  );
  const misspelt = Object.keys(parameters).find((name) => MISSPELT_LIMIT.test(name));
  if (misspelt !== undefined) rejectUnknown({ [misspelt]: 0 }, LIMIT_KEYS, location, `${key}.`);
  const chosen = truncation_strategy ?? strategy;
  return guard(location, () => ({
    maxLines: given(max_lines, `${key}.max_lines`, parseLimit),
    maxBytes: given(max_bytes, `${key}.max_bytes`, parseBytes),
    maxChars: given(max_chars, `${key}.max_chars`, parseLimit),
    maxTokens: given(max_tokens, `${key}.max_tokens`, parseLimit),
    strategy: given(chosen, `${key}.truncation_strategy`, parseStrategy),
    parameters,
  }));
}

const SUMMARIZATION_KEYS = ["enabled", "model", "max_input_chars", "trigger_threshold"];

function parseSummarization(value: Record<string, unknown>): SummarizationOptions {
  const { enabled, model, max_input_chars, trigger_threshold } = value;
  return {
    enabled: given(enabled, "summarization.enabled", parseFlag),
    model: given(model, "summarization.model", parseText),
    maxInputChars: given(max_input_chars, "summarization.max_input_chars", parseLimit),
    triggerThreshold: given(trigger_threshold, "summarization.trigger_threshold", parseLimit),
  };
}

function record(value: unknown, location: string, key: string): Record<string, unknown> {
  if (isObject(value)) return value;
  throw invalidConfig(`${location}: ${key} must be a mapping.`);
}

function rejectUnknown(value: object, known: readonly string[], location: string, prefix: string): void {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const hint = known.length === 0 ? "" : ` Known here: ${known.join(", ")}.`;
  throw invalidConfig(`${location}: unknown key ${prefix}${unknown}.${hint}`);
}

function guard<T>(location: string, build: () => T): T {
  try {
    return build();
  } catch (error) {
    throw invalidConfig(`${location}: ${messageOf(error)}`, { cause: error });
  }
}
