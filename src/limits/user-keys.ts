import { isObject } from "../bytes/json/is-object.ts";
import { invalidConfig } from "../errors.ts";

/** Which variables of Spillway's own environment the commands that it runs may see; `*` stands for any text. */
export interface EnvironmentRules {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

/** Turns the value of a key into settings; throws a sentence that begins with `name`. */
type Parse<T> = (value: unknown, name: string) => T;

/**
 * The keys that only the user may set: in the user's own config file, in one named with `--config`, or in a project's file
 * after `spillway trust`. A key that is added here is a key of config files, a field of `Configuration` under its own name,
 * and ignored, with a word in `config` and `doctor`, in the file of a project that nobody trusted.
 */
export const USER_KEYS = {
  env: parseEnvironmentRules,
  servers: parseServerEntries,
  sessions: parseSessionsUrl,
} satisfies Readonly<Record<string, Parse<unknown>>>;

type UserKeys = typeof USER_KEYS;

/** What the keys above say. */
export type UserSettings = { readonly [Key in keyof UserKeys]?: ReturnType<UserKeys[Key]> };

/** Parses those of the keys above that stand in a file. */
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

/** The MCP servers of `spillway proxy --servers`, by name; what an entry may hold is the proxy's to know. */
function parseServerEntries(value: unknown, name: string): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  if (isObject(value) && Object.values(value).every(isObject)) return value as Record<string, Record<string, unknown>>;
  throw invalidConfig(`${name} must be a mapping of servers, each with command or url.`);
}

function names(value: unknown, name: string): readonly string[] {
  if (Array.isArray(value) && value.every((one): one is string => typeof one === "string" && /^[\w*]+$/.test(one)))
    return value;
  throw invalidConfig(`${name} must be a list of names of variables, such as [NPM_TOKEN, "AWS_*"].`);
}
