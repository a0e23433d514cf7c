export { checkLimit, checkLimitOptions, parseLimit, parseStrategy } from "./check.ts";
export {
  CONFIG_FILE,
  type ConfigFile,
  parseConfig,
  readConfigFile,
  type SummarizationSettings,
  type ToolSettings,
} from "./config-file.ts";
export * from "./defaults.ts";
export { type Environment, type EnvironmentSettings, parseDays, readEnvironment } from "./environment.ts";
export { PRESETS, type PresetName, resolvePreset } from "./presets.ts";
export { type LimitKey, type LimitSources, type ResolvedLimits, resolveLimits } from "./resolve.ts";
export type { ConfiguredStrategy, LimitOptions, Limits, Strategy } from "./types.ts";
export { STRATEGIES } from "./types.ts";
