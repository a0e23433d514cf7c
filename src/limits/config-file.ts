import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { SpillwayError } from "../errors.ts";
import { checkLimit, parseLimit, parseStrategy } from "./check.ts";
import { parseDays } from "./environment.ts";
import type { LimitOptions } from "./types.ts";

/** The config file in the root when none is named. */
export const CONFIG_FILE = "spillway.yaml";

const LIMIT_KEYS = ["max_lines", "max_bytes", "max_chars", "max_tokens", "truncation_strategy", "strategy"];
/** Close to a limit's name: a mistake rather than a tool's parameter, which would be taken in silence. */
const MISSPELT_LIMIT =
  /^(?:max[-_]?(?:line|byte|char|character|token)s?|(?:truncation[-_]?)?strategy|truncation[-_]?direction)$/i;

/** Limits of one tool; what is not a limit (`show_context`, `max_depth`, …) becomes a default of its parameters. */
interface ToolSettings extends LimitOptions {
  readonly parameters: Readonly<Record<string, unknown>>;
}

interface SummarizationSettings {
  /** @default false */
  readonly enabled: boolean;
  readonly model?: string;
  /** Most characters sent to the model. @default 50000 */
  readonly maxInputChars: number;
  /** Output from this many characters on is summarized. @default 20000 */
  readonly triggerThreshold: number;
}

/** What `spillway.yaml` says. */
export interface ConfigFile {
  readonly path: string;
  readonly default: LimitOptions;
  readonly tools: Readonly<Record<string, ToolSettings>>;
  readonly summarization: SummarizationSettings;
  readonly dir?: string;
  readonly retentionDays?: number;
  readonly quotaBytes?: number;
}

/** Reads the config file: the one named, or `spillway.yaml` in the root when there is one. */
export async function readConfigFile(root: string, file?: string): Promise<ConfigFile | undefined> {
  const location = path.resolve(root, file ?? CONFIG_FILE);
  if (file === undefined && !isFile(location)) return undefined;
  let source: string;
  try {
    source = readFileSync(location, "utf8");
  } catch (error) {
    throw new SpillwayError("INVALID_CONFIG", `Cannot read the config file ${location}: ${message(error)}.`, {
      cause: error,
    });
  }
  // The parser is loaded only for users who have a config file.
  const { parse } = await import("yaml");
  let document: unknown;
  try {
    document = parse(source);
  } catch (error) {
    throw new SpillwayError("INVALID_CONFIG", `${location} is not valid YAML: ${message(error)}`, { cause: error });
  }
  return parseConfig(document ?? {}, location);
}

/** Checks a parsed config; every complaint names the file and the key. */
export function parseConfig(document: unknown, location: string): ConfigFile {
  const top = record(document, location, "the file");
  const output = record(top.tool_output_limits ?? {}, location, "tool_output_limits");
  rejectUnknown(top, ["tool_output_limits", "summarization", "artifacts"], location, "");
  rejectUnknown(output, ["default", "tools"], location, "tool_output_limits.");
  const tools: Record<string, ToolSettings> = {};
  for (const [name, value] of Object.entries(record(output.tools ?? {}, location, "tool_output_limits.tools"))) {
    tools[name] = parseToolSettings(value, location, `tool_output_limits.tools.${name}`);
  }
  const { parameters, ...limits } = parseToolSettings(output.default ?? {}, location, "tool_output_limits.default");
  rejectUnknown(parameters, [], location, "tool_output_limits.default.");
  const artifacts = record(top.artifacts ?? {}, location, "artifacts");
  rejectUnknown(artifacts, ["dir", "retention_days", "quota_bytes"], location, "artifacts.");
  return guard(location, () => ({
    path: location,
    default: limits,
    tools,
    summarization: parseSummarization(record(top.summarization ?? {}, location, "summarization"), location),
    ...(artifacts.dir === undefined ? {} : { dir: text(artifacts.dir, "artifacts.dir") }),
    ...(artifacts.retention_days === undefined
      ? {}
      : { retentionDays: parseDays(artifacts.retention_days, "artifacts.retention_days") }),
    ...(artifacts.quota_bytes === undefined
      ? {}
      : { quotaBytes: limit(artifacts.quota_bytes, "artifacts.quota_bytes", true) }),
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
    ...(max_lines === undefined ? {} : { maxLines: limit(max_lines, `${key}.max_lines`, false) }),
    ...(max_bytes === undefined ? {} : { maxBytes: limit(max_bytes, `${key}.max_bytes`, true) }),
    ...(max_chars === undefined ? {} : { maxChars: limit(max_chars, `${key}.max_chars`, false) }),
    ...(max_tokens === undefined ? {} : { maxTokens: limit(max_tokens, `${key}.max_tokens`, false) }),
    ...(chosen === undefined ? {} : { strategy: parseStrategy(chosen, `${key}.truncation_strategy`) }),
    parameters,
  }));
}

function parseSummarization(value: Record<string, unknown>, location: string): SummarizationSettings {
  rejectUnknown(value, ["enabled", "model", "max_input_chars", "trigger_threshold"], location, "summarization.");
  return {
    enabled: flag(value.enabled ?? false, "summarization.enabled"),
    ...(value.model === undefined ? {} : { model: text(value.model, "summarization.model") }),
    maxInputChars: limit(value.max_input_chars ?? 50_000, "summarization.max_input_chars", false),
    triggerThreshold: limit(value.trigger_threshold ?? 20_000, "summarization.trigger_threshold", false),
  };
}

function limit(value: unknown, name: string, units: boolean): number {
  return typeof value === "string" ? parseLimit(value, name, { units }) : checkLimit(value, name);
}

function text(value: unknown, name: string): string {
  if (typeof value === "string" && value.trim() !== "") return value;
  throw new SpillwayError("INVALID_CONFIG", `${name} must be a text, not ${JSON.stringify(value)}.`);
}

function flag(value: unknown, name: string): boolean {
  if (typeof value === "boolean") return value;
  throw new SpillwayError("INVALID_CONFIG", `${name} must be true or false, not ${JSON.stringify(value)}.`);
}

function record(value: unknown, location: string, key: string): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new SpillwayError("INVALID_CONFIG", `${location}: ${key} must be a mapping.`);
}

function rejectUnknown(value: object, known: readonly string[], location: string, prefix: string): void {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const hint = known.length === 0 ? "" : ` Known here: ${known.join(", ")}.`;
  throw new SpillwayError("INVALID_CONFIG", `${location}: unknown key ${prefix}${unknown}.${hint}`);
}

function guard<T>(location: string, build: () => T): T {
  try {
    return build();
  } catch (error) {
    throw new SpillwayError("INVALID_CONFIG", `${location}: ${message(error)}`, { cause: error });
  }
}

function isFile(location: string): boolean {
  return statSync(location, { throwIfNoEntry: false })?.isFile() === true;
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
