import { createHash } from "node:crypto";
import { isObject } from "../../../bytes/json/is-object.ts";
import { matchesAny } from "../../../bytes/match-name.ts";
import { invalidConfig } from "../../../errors.ts";
import type { JsonObject } from "../../mcp-shared/json-rpc.ts";

/** One server of several, as its user wrote it down; variables are not filled in yet. */
export interface ServerEntry {
  /** As it stands before `__` in the names of its tools. */
  readonly name: string;
  /** As its user called it. */
  readonly key: string;
  readonly settings: JsonObject;
  /** Only these tools, when there are any; `*` stands for any characters. */
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  /** Tools whose definitions are shown even where the others are searched for. */
  readonly pin: readonly string[];
  /** Different for entries that may have different tools. */
  readonly digest: string;
}

/** What several agents call the same lists in their own files. */
const ALLOW_KEYS = ["allow", "includeTools", "enabled_tools", "enabledTools"];
const DENY_KEYS = ["deny", "excludeTools", "disabled_tools", "disabledTools"];

/** Reads the servers of a mapping as `mcpServers` has it; those that are switched off are left out. */
export function parseServers(servers: unknown, location: string): readonly ServerEntry[] {
  if (!isObject(servers)) throw invalidConfig(`${location}: the servers must be a mapping.`);
  const entries = new Map<string, ServerEntry>();
  for (const [key, settings] of Object.entries(servers)) {
    if (!isObject(settings)) throw invalidConfig(`${location}: ${key} must be a mapping.`);
    if (settings.disabled === true || settings.enabled === false) continue;
    const name = nameOf(key);
    if (name === "") throw invalidConfig(`${location}: ${JSON.stringify(key)} is not a name.`);
    if (entries.has(name)) throw invalidConfig(`${location}: two servers would be called ${name}; rename ${key}.`);
    const lists = (keys: readonly string[]): readonly string[] =>
      keys.flatMap((each) => patterns(settings[each], `${location}: ${key}.${each}`));
    entries.set(name, {
      name,
      key,
      settings,
      allow: lists(ALLOW_KEYS),
      deny: lists(DENY_KEYS),
      pin: lists(["pin"]),
      digest: createHash("sha256").update(JSON.stringify(settings)).digest("hex").slice(0, 32),
    });
  }
  return [...entries.values()];
}

/** True when the entry's lists let a tool be seen and called. */
export function isAllowed({ allow, deny }: Pick<ServerEntry, "allow" | "deny">, tool: string): boolean {
  return (allow.length === 0 || matchesAny(allow, tool)) && !matchesAny(deny, tool);
}

/** Hosts and models take letters, digits, `_` and `-`; `__` is where the tool's name begins. */
function nameOf(key: string): string {
  return key
    .replace(/[^A-Za-z0-9_-]+/g, "_")
    .replace(/_{2,}/g, "_")
    .replace(/^_|_$/g, "");
}

function patterns(value: unknown, key: string): readonly string[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value;
  throw invalidConfig(`${key} must be a list of tool names.`);
}
