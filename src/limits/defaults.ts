import { invalidArgument } from "../errors.ts";
import type { LimitOptions, Limits, Strategy } from "./types.ts";

/** Limits that were once published for known agents (not what these agents do today), and five for kinds of output. */
export const PRESETS = {
  opencode: { maxLines: 2000, maxBytes: 51_200, strategy: "head" },
  codex: { maxLines: 256, maxBytes: 10_240, strategy: "head_tail", markersOnTop: true },
  aider: { maxLines: 100, maxBytes: Infinity, strategy: "head_tail", markersOnTop: true },
  openai: { maxLines: Infinity, maxChars: 32_768, strategy: "head" },
  code: { maxLines: 2000, maxBytes: 51_200, strategy: "head" },
  config: { maxLines: 2000, maxBytes: 51_200, strategy: "head" },
  search: { maxLines: 2000, maxBytes: 51_200, strategy: "head" },
  log: { maxLines: 500, maxBytes: 20_480, strategy: "tail" },
  error: { maxLines: 100, maxBytes: 10_240, strategy: "tail" },
} as const satisfies Record<string, LimitOptions>;

export type PresetName = keyof typeof PRESETS;

/** The limits of a preset; throws with the list of names for an unknown one. */
export function resolvePreset(name: string): LimitOptions {
  if (Object.hasOwn(PRESETS, name)) return PRESETS[name as PresetName];
  throw invalidArgument(`Unknown preset ${JSON.stringify(name)}. Presets: ${Object.keys(PRESETS).join(", ")}.`);
}

/** The keys of a config file that are limits of a tool. */
export const LIMIT_KEYS: readonly string[] = [
  "max_lines",
  "max_bytes",
  "max_chars",
  "max_tokens",
  "truncation_strategy",
  "strategy",
];

/** Close to a limit's name: a mistake rather than a tool's parameter, which would be taken in silence. */
export const MISSPELT_LIMIT =
  /^(?:max[-_]?(?:line|byte|char|character|token)s?|(?:truncation[-_]?)?strategy|truncation[-_]?direction)$/i;

export const MAX_LINES = 2000;
export const MAX_BYTES = 51_200;
export const RETENTION_DAYS = 7;
/** Folder of artifacts below the root, for everything but `Truncate` and `ObservationTruncator`. */
export const ARTIFACT_DIR = ".agents/tool-output";
/** Folder of artifacts below the root for `Truncate` and `ObservationTruncator`. */
export const TRUNCATE_DIR = "tool-output";

/** The same inside an agent whose sandbox or reader rejects the folder above. */
export const HOST_ARTIFACT_DIR = ".spillway/tool-output";

/** Defaults for tools with these names, if neither call, configuration nor the tool itself sets limits. */
export const LIMITS_BY_NAME: Readonly<Record<string, LimitOptions>> = {
  read_file: { maxChars: 5000, maxLines: 200 },
  repo_map: { maxChars: 10_000, maxLines: 1000 },
  grep_search: { maxLines: 100 },
};

/** `head_tail` with no limit at all. */
const HEAD_TAIL_CHARS = 8000;
const HEAD_TAIL_LINES = 500;

/** Fills in missing limits: 2,000 lines; 51,200 bytes unless the size is limited in characters or tokens. */
export function completeLimits(options: LimitOptions): Limits {
  const sized = options.maxChars !== undefined || options.maxTokens !== undefined;
  return {
    maxLines: options.maxLines ?? MAX_LINES,
    maxBytes: options.maxBytes ?? (sized ? Infinity : MAX_BYTES),
    maxChars: options.maxChars ?? Infinity,
    maxTokens: options.maxTokens ?? Infinity,
  };
}

/** True when options leave every limit, and the strategy, to others. */
export function saysNoLimit({ maxLines, maxBytes, maxChars, maxTokens, strategy }: LimitOptions): boolean {
  const none = maxLines === undefined && maxBytes === undefined && maxChars === undefined && maxTokens === undefined;
  return none && strategy === undefined;
}

/** The limits of a bare preview: as `completeLimits`, but `head_tail` without any limit holds 8,000 characters. */
export function completePreviewLimits(options: LimitOptions, strategy: Strategy): Limits {
  const { maxLines, maxBytes, maxChars, maxTokens } = options;
  const none = maxLines === undefined && maxBytes === undefined && maxChars === undefined && maxTokens === undefined;
  if (strategy === "head_tail" && none) return completeLimits({ maxChars: HEAD_TAIL_CHARS, maxLines: HEAD_TAIL_LINES });
  return completeLimits(options);
}
