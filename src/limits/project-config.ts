import { realpathSync } from "node:fs";
import path from "node:path";
import { isObject } from "../bytes/json/is-object.ts";
import { invalidConfig } from "../errors.ts";
import { pathBelow } from "../platform/folders.ts";
import { parseBytes } from "./check.ts";
import { LIMIT_KEYS, MISSPELT_LIMIT } from "./defaults.ts";
import { parseDays } from "./environment.ts";
import { STORE_KEYS } from "./store-settings.ts";

/** Spillway's own environment variables that commands may see; `*` matches any text. */
export interface EnvironmentRules {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

/** Turns the value of a key into settings; throws a sentence that begins with `name`. */
type Parse<T> = (value: unknown, name: string) => T;

/**
 * The keys that only the user may set: in the user's own config file, in one named with `--config`, or in a project's file
 * after `spillway trust`. A key that is added here is a key of config files, a field of `Configuration` under its own name,
 * and ignored, with a note in `config` and `doctor`, in the file of an untrusted project.
 */
export const USER_KEYS = {
  env: parseEnvironmentRules,
  servers: parseServerEntries,
  sessions: parseSessionsUrl,
} satisfies Readonly<Record<string, Parse<unknown>>>;

type UserKeys = typeof USER_KEYS;

/** The values of the keys above. */
export type UserSettings = { readonly [Key in keyof UserKeys]?: ReturnType<UserKeys[Key]> };

/** Parses the keys above that a file contains. */
export function parseUserKeys(top: Readonly<Record<string, unknown>>): UserSettings {
  const entries = Object.entries(USER_KEYS as Record<string, Parse<unknown>>);
  const given = entries.filter(([key]) => top[key] !== undefined && top[key] !== null);
  return Object.fromEntries(given.map(([key, parse]) => [key, parse(top[key], key)])) as UserSettings;
}

/** The address of a database. */
export function parseSessionsUrl(value: unknown, name: string): string {
  if (typeof value === "string" && /^postgres(ql)?:\/\/\S+$/.test(value)) return value;
  throw invalidConfig(`${name} must be postgres://user@host/database.`);
}

function parseEnvironmentRules(value: unknown, name: string): EnvironmentRules {
  if (!isObject(value)) throw invalidConfig(`${name} must be a mapping of allow and deny.`);
  const { allow = [], deny = [], ...unknown } = value;
  const [other] = Object.keys(unknown);
  if (other !== undefined) throw invalidConfig(`${name} has no ${JSON.stringify(other)}; it may have allow and deny.`);
  return { allow: names(allow, `${name}.allow`), deny: names(deny, `${name}.deny`) };
}

/** The MCP servers of `spillway proxy --servers`, by name; the proxy checks their entries. */
function parseServerEntries(value: unknown, name: string): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  if (isObject(value) && Object.values(value).every(isObject)) return value as Record<string, Record<string, unknown>>;
  throw invalidConfig(`${name} must be a mapping of servers, each with command or url.`);
}

function names(value: unknown, name: string): readonly string[] {
  if (Array.isArray(value) && value.every((one): one is string => typeof one === "string" && /^[\w*]+$/.test(one)))
    return value;
  throw invalidConfig(`${name} must be a list of names of variables, such as [NPM_TOKEN, "AWS_*"].`);
}

/** A setting of a config file that was not taken, and why. */
export interface IgnoredSetting {
  readonly file: string;
  readonly key: string;
  readonly reason: string;
}

type Mapping = Readonly<Record<string, unknown>>;
type Ignore = (key: string, reason: string) => void;

/**
 * The settings of a parsed `spillway.yaml` that an untrusted repository may set: limits, strategies, retention, a folder
 * below the root, summaries, and redaction on. Values of the wrong type are left to the parser.
 */
export function restrictToProject(
  document: unknown,
  place: { readonly root: string; readonly file: string },
): { readonly document: unknown; readonly ignored: readonly IgnoredSetting[] } {
  if (!isObject(document)) return { document, ignored: [] };
  const ignored: IgnoredSetting[] = [];
  const ignore: Ignore = (key, reason) => ignored.push({ file: place.file, key, reason });
  const kept: Record<string, unknown> = { ...document };
  for (const key of Object.keys(USER_KEYS)) {
    if (kept[key] === undefined) continue;
    delete kept[key];
    ignore(key, "only your own configuration may say this");
  }
  if (isObject(kept.tool_output_limits)) kept.tool_output_limits = restrictLimits(kept.tool_output_limits, ignore);
  if (isObject(kept.artifacts)) kept.artifacts = restrictArtifacts(kept.artifacts, place.root, ignore);
  if (isObject(kept.summarization)) noteProvider(kept.summarization, ignore);
  if ("redact" in kept) {
    const redact = restrictRedact(kept.redact, ignore);
    if (redact === undefined) delete kept.redact;
    else kept.redact = redact;
  }
  return { document: kept, ignored };
}

/** Amounts are limits too; a text could be a command, a folder or an address. */
function restrictLimits(limits: Mapping, ignore: Ignore): Mapping {
  if (!isObject(limits.tools)) return limits;
  const tools = Object.entries(limits.tools).map(([tool, settings]) => {
    if (!isObject(settings)) return [tool, settings] as const;
    const kept = Object.entries(settings).filter(([key, value]) => {
      if (LIMIT_KEYS.includes(key) || MISSPELT_LIMIT.test(key) || typeof value === "number") return true;
      ignore(`tool_output_limits.tools.${tool}.${key}`, "a project's file may set only numbers of a tool's parameters");
      return false;
    });
    return [tool, Object.fromEntries(kept)] as const;
  });
  return { ...limits, tools: Object.fromEntries(tools) };
}

/** A repository that sets less would have every output removed at once. */
const FLOORS = {
  retention_days: { least: 1, parse: attempt(parseDays), words: "1 day" },
  quota_bytes: { least: parseBytes("100MB", ""), parse: attempt(parseBytes), words: "100 MB" },
};

/** Undefined for values that the parser rejects; it reports the error. */
function attempt(
  parse: (value: unknown, name: string) => number,
): (value: unknown, name: string) => number | undefined {
  return (value, name) => {
    try {
      return value === undefined || value === null ? undefined : parse(value, name);
    } catch {
      return undefined;
    }
  };
}

function restrictArtifacts(artifacts: Mapping, root: string, ignore: Ignore): Mapping {
  const own = Object.fromEntries(
    Object.entries(artifacts).filter(([key]) => !(STORE_KEYS as readonly string[]).includes(key)),
  );
  for (const key of STORE_KEYS)
    if (artifacts[key] !== undefined) ignore(`artifacts.${key}`, "only your own configuration may say this");
  for (const [key, { least, parse, words }] of Object.entries(FLOORS)) {
    const value = parse(own[key], key);
    if (value === undefined || value >= least) continue;
    delete own[key];
    ignore(`artifacts.${key}`, `a project's file may not set less than ${words}`);
  }
  const { dir, ...rest } = own;
  if (typeof dir !== "string" || staysBelow(root, dir)) return own;
  ignore("artifacts.dir", `${JSON.stringify(dir)} is outside the root`);
  return rest;
}

/** True if the folder, or its existing part, is below the root with links followed. */
function staysBelow(root: string, dir: string): boolean {
  if (pathBelow(root, path.resolve(root, dir)) === undefined) return false;
  for (let folder = path.resolve(root, dir); folder !== root; folder = path.dirname(folder)) {
    try {
      return pathBelow(realpathSync(root), realpathSync(folder)) !== undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") return false;
    }
  }
  return true;
}

/** The name is kept: an agent of the same provider takes it. */
function noteProvider({ model }: Mapping, ignore: Ignore): void {
  const [, provider] = /^([^/]+)\//.exec(typeof model === "string" ? model : "") ?? [];
  if (provider !== undefined)
    ignore("summarization.model", `taken only by an agent whose own provider is ${JSON.stringify(provider)}`);
}

/** A pattern of a stranger could take hours on one line, and an exception could let a secret through. */
function restrictRedact(redact: unknown, ignore: Ignore): true | undefined {
  if (redact === false || redact === null) {
    ignore("redact", "only your own configuration may leave secrets in");
    return undefined;
  }
  if (isObject(redact))
    for (const key of Object.keys(redact))
      ignore(`redact.${key}`, "a project's file may ask for redaction, not say what a secret is");
  return true;
}
