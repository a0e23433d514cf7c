import { SpillwayError } from "../errors.ts";
import { parseLimit, parseStrategy } from "./check.ts";
import { checkStoreUri } from "./store-settings.ts";
import type { LimitOptions } from "./types.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that say what is within limits. */
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

/** What the `TOOL_OUTPUT_*` variables say. */
export interface EnvironmentSettings extends LimitOptions {
  readonly dir?: string;
  readonly retentionDays?: number;
  /** `s3://bucket/prefix`. */
  readonly store?: string;
}

/** Reads the `TOOL_OUTPUT_*` variables; an empty one counts as absent, one that makes no sense throws and is named. */
export function readEnvironment(env: Environment): EnvironmentSettings {
  const read = <T>(name: string, parse: (text: string) => T): T | undefined => {
    const text = env[name]?.trim();
    return text === undefined || text === "" ? undefined : parse(text);
  };
  const maxLines = read("TOOL_OUTPUT_MAX_LINES", (text) => parseLimit(text, "TOOL_OUTPUT_MAX_LINES"));
  const maxBytes = read("TOOL_OUTPUT_MAX_BYTES", (text) => parseLimit(text, "TOOL_OUTPUT_MAX_BYTES", { units: true }));
  const strategy = read("TOOL_OUTPUT_TRUNCATE_DIRECTION", (text) =>
    parseStrategy(text, "TOOL_OUTPUT_TRUNCATE_DIRECTION"),
  );
  const dir = read("TOOL_OUTPUT_DIR", (text) => text);
  const retentionDays = read("TOOL_OUTPUT_RETENTION_DAYS", (text) => parseDays(text, "TOOL_OUTPUT_RETENTION_DAYS"));
  const store = read("SPILLWAY_STORE", (text) => {
    checkStoreUri(text, "SPILLWAY_STORE");
    return text;
  });
  return {
    ...(store === undefined ? {} : { store }),
    ...(maxLines === undefined ? {} : { maxLines }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
    ...(strategy === undefined ? {} : { strategy }),
    ...(dir === undefined ? {} : { dir }),
    ...(retentionDays === undefined ? {} : { retentionDays }),
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
