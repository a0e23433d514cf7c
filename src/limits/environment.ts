import { SpillwayError } from "../errors.ts";
import { parseBytes, parseLimit, parseStrategy } from "./check.ts";
import { parseStoreUri } from "./store-settings.ts";
import type { LimitOptions } from "./types.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that set limits. */
export const LIMIT_VARIABLES = ["TOOL_OUTPUT_MAX_LINES", "TOOL_OUTPUT_MAX_BYTES"] as const;

/** The variables that are read. */
export const ENVIRONMENT_VARIABLES = [
  ...LIMIT_VARIABLES,
  "TOOL_OUTPUT_TRUNCATE_DIRECTION",
  "TOOL_OUTPUT_DIR",
  "TOOL_OUTPUT_RETENTION_DAYS",
  "SPILLWAY_STORE",
] as const;

export type EnvironmentVariable = (typeof ENVIRONMENT_VARIABLES)[number];

/** Limits set by `TOOL_OUTPUT_*` variables. */
export interface EnvironmentSettings extends LimitOptions {
  readonly dir?: string | undefined;
  readonly retentionDays?: number | undefined;
  /** `s3://bucket/prefix`. */
  readonly store?: string | undefined;
}

/** Reads the `TOOL_OUTPUT_*` variables; an empty one counts as absent, an invalid one throws an error that names it. */
export function readEnvironment(env: Environment): EnvironmentSettings {
  const read = <T>(name: EnvironmentVariable, parse: (text: string, name: string) => T): T | undefined => {
    const text = env[name]?.trim();
    return text === undefined || text === "" ? undefined : parse(text, name);
  };
  return {
    maxLines: read("TOOL_OUTPUT_MAX_LINES", parseLimit),
    maxBytes: read("TOOL_OUTPUT_MAX_BYTES", parseBytes),
    strategy: read("TOOL_OUTPUT_TRUNCATE_DIRECTION", parseStrategy),
    dir: read("TOOL_OUTPUT_DIR", (text) => text),
    retentionDays: read("TOOL_OUTPUT_RETENTION_DAYS", parseDays),
    store: read("SPILLWAY_STORE", parseStoreUri),
  };
}

/** Days, fractions allowed. */
export function parseDays(value: unknown, name: string): number {
  const days = typeof value === "string" ? Number(value) : value;
  if (typeof days === "number" && Number.isFinite(days) && days > 0) return days;
  throw new SpillwayError("INVALID_LIMIT", `${name} must be a number of days above 0, not ${JSON.stringify(value)}.`, {
    details: { name, value },
  });
}
