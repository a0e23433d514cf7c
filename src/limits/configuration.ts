import { readFileSync, type Stats, statSync } from "node:fs";
import path from "node:path";
import { isObject } from "../bytes/json/is-object.ts";
import { invalidConfig, messageOf } from "../errors.ts";
import { isForeign } from "../platform/folders.ts";
import { parseRedact, type RedactSettings } from "../redact/settings.ts";
import { given, parseBytes, parseFlag, parseLimit, parseStrategy, parseText } from "./check.ts";
import { LIMIT_KEYS, MISSPELT_LIMIT } from "./defaults.ts";
import { parseDays } from "./environment.ts";
import { definedOnly } from "./options.ts";
import {
  type IgnoredSetting,
  parseUserKeys,
  restrictToProject,
  USER_KEYS,
  type UserSettings,
} from "./project-config.ts";
import { parseStoreSettings, STORE_KEYS, type StoreSettings } from "./store-settings.ts";
import { trustIn, userConfigFile } from "./trusted-folders.ts";
import type { LimitOptions } from "./types.ts";

/** Facts of a regular file; undefined for other files and those that cannot be read. */
export function lookAtFile(location: string): Stats | undefined {
  try {
    const stats = statSync(location, { throwIfNoEntry: false });
    return stats?.isFile() === true ? stats : undefined;
  } catch {
    return undefined;
  }
}

/** Limits of one tool; other keys (`show_context`, `max_depth`, …) become default values of its parameters. */
interface ToolSettings extends LimitOptions {
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A file's settings for summaries; missing ones are undefined. */
interface SummarizationOptions {
  readonly enabled?: boolean | undefined;
  readonly model?: string | undefined;
  readonly maxInputChars?: number | undefined;
  readonly triggerThreshold?: number | undefined;
}

interface ConfigFile extends UserSettings {
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

/** The config file in the root when none is named. */
export const CONFIG_FILE = "spillway.yaml";

const MAX_SUMMARY_INPUT_CHARS = 50_000;
const SUMMARY_TRIGGER_CHARS = 20_000;

interface SummarizationSettings {
  /** @default false */
  readonly enabled: boolean;
  readonly model?: string | undefined;
  /** True if the model's name comes from a project file; a project must not choose who receives the output. */
  readonly ownProviderOnly: boolean;
  /** Most characters sent to the model. @default 50000 */
  readonly maxInputChars: number;
  /** Output from this many characters on is summarized. @default 20000 */
  readonly triggerThreshold: number;
}

/** A file that was read: of the project, of the user, or named by the caller. */
export interface ReadConfigFile extends ConfigFile {
  readonly from: "project" | "user" | "named";
  /** False for an untrusted project file, which may set limits and little else. */
  readonly trusted: boolean;
}

/** The merged settings of all configuration files. */
export interface Configuration extends UserSettings {
  /** The files that were read, strongest first. */
  readonly files: readonly ReadConfigFile[];
  readonly summarization: SummarizationSettings;
  readonly dir?: string | undefined;
  readonly retentionDays?: number | undefined;
  readonly quotaBytes?: number | undefined;
  /** Where artifacts go when not into a folder. */
  readonly store?: StoreSettings | undefined;
  /** Whether, and how, secrets are taken out; absent when no file says. */
  readonly redact?: RedactSettings | false | undefined;
  /** Settings in the project's file that were ignored. */
  readonly ignored: readonly IgnoredSetting[];
  /** True when the project's file was trusted once, and is another now. */
  readonly changedSinceTrusted: boolean;
}

/**
 * Reads `spillway.yaml` in the root, or the file that is named in its place, and the user's own config file below it. No
 * file is needed; `false` reads none.
 */
export async function readConfiguration(root: string, named?: string | false): Promise<Configuration> {
  if (named === false) return merge([]);
  const project = path.join(path.resolve(root), CONFIG_FILE);
  const own = userConfigFile();
  const upper =
    named === undefined ? await readProjectFile(root, project) : await readTrusted(path.resolve(root, named), "named");
  const lower = lookAtFile(own) !== undefined && own !== upper?.file?.path ? await readTrusted(own, "user") : undefined;
  return merge([upper, lower].filter((read) => read !== undefined));
}

interface Read {
  /** Absent when nothing of it was taken. */
  readonly file?: ReadConfigFile;
  readonly ignored?: readonly IgnoredSetting[];
  readonly changed?: boolean;
}

async function readTrusted(location: string, from: "user" | "named"): Promise<Read> {
  const document = await parseYaml(readSource(location), location);
  return { file: { ...parseConfig(document, location), from, trusted: true } };
}

async function readProjectFile(root: string, location: string): Promise<Read | undefined> {
  const stats = lookAtFile(location);
  if (stats === undefined) return undefined;
  const owner = [stats, statSync(path.dirname(location))].find(isForeign)?.uid;
  const source = readSource(location);
  if (owner !== undefined && trustIn(root, source) !== "trusted")
    return {
      ignored: [{ file: location, key: "*", reason: `the file or its folder belongs to another user (${owner})` }],
    };
  const given = await parseYaml(source, location);
  const { document, ignored } = restrictToProject(given, { root: path.resolve(root), file: location });
  const trust = ignored.length === 0 && owner === undefined ? "unknown" : trustIn(root, source);
  const trusted = trust === "trusted";
  const file = { ...parseConfig(trusted ? given : document, location), from: "project" as const, trusted };
  return { file, ignored: trusted ? [] : ignored, changed: trust === "changed" };
}

function readSource(location: string): Buffer {
  try {
    return readFileSync(location);
  } catch (error) {
    throw invalidConfig(`Cannot read the config file ${location}: ${messageOf(error)}.`, {
      cause: error,
    });
  }
}

/** The parser is loaded only for users with a configuration file. */
async function parseYaml(source: Buffer, location: string): Promise<unknown> {
  const { parse } = await import("./parse-yaml.ts");
  try {
    return (parse(source.toString("utf8")) as unknown) ?? {};
  } catch (error) {
    throw invalidConfig(`${location} is not valid YAML: ${messageOf(error)}`, { cause: error });
  }
}

function merge(read: readonly Read[]): Configuration {
  const files = read.flatMap(({ file }) => file ?? []);
  const {
    path: _,
    default: __,
    tools,
    from,
    trusted,
    summarization,
    redact,
    ...settings
  } = Object.assign({}, ...[...files].reverse().map(definedOnly)) as Partial<ReadConfigFile>;
  const summary = (key: keyof ConfigFile["summarization"]) =>
    files.find((file) => file.summarization[key] !== undefined)?.summarization[key];
  return {
    ...settings,
    files,
    summarization: {
      enabled: (summary("enabled") as boolean | undefined) ?? false,
      model: summary("model") as string | undefined,
      ownProviderOnly: files.find((file) => file.summarization.model !== undefined)?.trusted === false,
      maxInputChars: (summary("maxInputChars") as number | undefined) ?? MAX_SUMMARY_INPUT_CHARS,
      triggerThreshold: (summary("triggerThreshold") as number | undefined) ?? SUMMARY_TRIGGER_CHARS,
    },
    redact: mergeRedact(files.map((file) => file.redact).filter((each) => each !== undefined)),
    ignored: read.flatMap(({ ignored = [] }) => ignored),
    changedSinceTrusted: read.some(({ changed }) => changed === true),
  };
}

/** The strongest file that speaks of it turns it on or off; patterns and exceptions of files that turn it on add up. */
function mergeRedact(all: readonly (RedactSettings | false)[]): RedactSettings | false | undefined {
  const [first] = all;
  if (!first) return first;
  const on = all.filter((settings) => settings !== false);
  return {
    patterns: on.flatMap(({ patterns }) => patterns),
    allow: on.flatMap(({ allow }) => allow),
    environment: on.every(({ environment }) => environment),
  };
}

/** Defaults of a tool's parameters: a value for the first of its names in the strongest file that has one. */
export function toolParameters({ files }: Configuration, names: readonly string[]): Readonly<Record<string, unknown>> {
  const weakestFirst = [...files].reverse().map(({ tools }) => {
    const name = names.find((each) => Object.hasOwn(tools, each));
    return name === undefined ? {} : tools[name]?.parameters;
  });
  return Object.assign({}, ...weakestFirst) as Record<string, unknown>;
}
