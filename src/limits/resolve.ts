import { ownValue } from "../bytes/own-value.ts";
import { parseStrategy } from "./check.ts";
import type { ReadConfigFile } from "./configuration.ts";
import { completeLimits, LIMITS_BY_NAME } from "./defaults.ts";
import type { EnvironmentSettings } from "./environment.ts";
import type { ConfiguredStrategy, LimitOptions, Limits, Strategy } from "./types.ts";

/** Sources of limits, strongest first. */
export interface LimitSources {
  readonly call?: LimitOptions | undefined;
  /** The config files, strongest first. */
  readonly files?: readonly ReadConfigFile[] | undefined;
  /** The names under which a file may list the tool, the called name first. */
  readonly toolNames?: readonly string[] | undefined;
  readonly tool?: LimitOptions | undefined;
  readonly environment?: EnvironmentSettings | undefined;
  /** @default "smart" */
  readonly defaultStrategy?: Strategy | undefined;
}

export type LimitKey = "maxLines" | "maxBytes" | "maxChars" | "maxTokens" | "strategy";

export interface ResolvedLimits {
  readonly limits: Limits;
  readonly strategy: ConfiguredStrategy;
  /** Which source each value came from. */
  readonly origin: Readonly<Record<LimitKey, string>>;
}

const KEYS: readonly LimitKey[] = ["maxLines", "maxBytes", "maxChars", "maxTokens", "strategy"];

/**
 * Resolves each value on its own, and the project's file before the user's: call > file `tools.NAME` > tool definition > built-in for the name it was called by >
 * environment > file `default` > built-in.
 */
export function resolveLimits(sources: LimitSources): ResolvedLimits {
  const { files = [] } = sources;
  const named = files.map((file) => {
    const name = sources.toolNames?.find((each) => Object.hasOwn(file.tools, each));
    return [`${originOf(file)} tools.${name}`, name === undefined ? undefined : file.tools[name]] as const;
  });
  const calledAs = sources.toolNames?.[0] ?? "";
  const ranked: readonly (readonly [string, LimitOptions | undefined])[] = [
    ["call", sources.call],
    ...named,
    ["tool definition", sources.tool],
    [`built-in for ${calledAs}`, ownValue(LIMITS_BY_NAME, calledAs)],
    ["environment", sources.environment],
    ...files.map((file) => [`${originOf(file)} default`, file.default] as const),
  ];
  const chosen: Partial<Record<LimitKey, number | string>> = {};
  const origin = {} as Record<LimitKey, string>;
  for (const key of KEYS) {
    const source = ranked.find(([, options]) => options?.[key] !== undefined);
    const value = source?.[1]?.[key];
    if (value !== undefined) chosen[key] = value;
    origin[key] = source?.[0] ?? "built-in";
  }
  const { strategy: said, ...limits } = chosen as LimitOptions;
  const strategy = said === undefined ? undefined : parseStrategy(said, "strategy");
  return { limits: completeLimits(limits), strategy: strategy ?? sources.defaultStrategy ?? "smart", origin };
}

/** A file, as the origin of a value names it. */
export function originOf({ from }: ReadConfigFile): string {
  return from === "user" ? "user file" : "file";
}
