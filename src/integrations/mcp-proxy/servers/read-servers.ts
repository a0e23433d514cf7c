import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, sep } from "node:path";
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { isObject } from "../../../bytes/json/is-object.ts";
import { matchesAny } from "../../../bytes/match-name.ts";
import { invalidArgument, invalidConfig } from "../../../errors.ts";
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

/** Where variables of an `mcp.json` get their values. */
export interface VariableSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder that editors call the workspace. */
  readonly root: string;
  /** Defaults of VS Code's `inputs`. */
  readonly inputs: Readonly<Record<string, string>>;
}

const VARIABLE = /\$\{(?:(env|input):)?([A-Za-z_][\w.-]*|\/)(?::-([^}]*))?\}/g;

/**
 * Fills in `${NAME}`, `${NAME:-default}` (Claude Code), `${env:NAME}`, `${userHome}`, `${workspaceFolder}` (Cursor) and
 * `${input:id}` (VS Code), which is asked of nobody: it comes from SPILLWAY_INPUT_ID.
 */
export function expandVariables(text: string, sources: VariableSources): string {
  return text.replace(VARIABLE, (_, kind: string | undefined, name: string, fallback: string | undefined) => {
    if (kind === "input") return readInput(name, sources);
    const found = (kind === undefined ? placeOf(name, sources.root) : undefined) ?? sources.environment[name];
    const value = found === undefined || (found === "" && fallback !== undefined) ? fallback : found;
    if (value === undefined) throw invalidConfig(`it needs ${name}, which is not set`);
    return value;
  });
}

function readInput(id: string, { environment, inputs }: VariableSources): string {
  const variable = `SPILLWAY_INPUT_${id.toUpperCase().replaceAll(/\W/g, "_")}`;
  const value = environment[variable] ?? inputs[id];
  if (value === undefined) throw invalidConfig(`it needs the input ${id}; there is nobody to ask, so set ${variable}`);
  return value;
}

function placeOf(name: string, root: string): string | undefined {
  switch (name) {
    case "userHome":
      return homedir();
    case "workspaceFolder":
      return root;
    case "workspaceFolderBasename":
      return basename(root);
    case "pathSeparator":
    case "/":
      return sep;
    default:
      return undefined;
  }
}

/** What an `mcp.json` holds. */
export interface ServersFile {
  readonly servers: JsonObject;
  /** Defaults of VS Code's `inputs`, by id. */
  readonly inputs: Readonly<Record<string, string>>;
}

/** Where agents keep their servers in a JSON file: Claude, Cursor, Gemini and others; VS Code; VS Code's settings. */
const SECTIONS = [["mcpServers"], ["servers"], ["mcp", "servers"]] as const;

/** Reads a file of servers as Claude, Cursor or VS Code write it; comments and trailing commas are taken. */
export function readServersFile(path: string): ServersFile {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw invalidArgument(`Cannot read ${path}: ${(error as Error).message}`, { cause: error });
  }
  const errors: ParseError[] = [];
  const document: unknown = parse(text.replace(/^\uFEFF/, ""), errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error) {
    const line = text.slice(0, error.offset).split("\n").length;
    throw invalidConfig(`${path}:${line} is not JSON: ${printParseErrorCode(error.error)}`);
  }
  for (const section of SECTIONS) {
    const servers = section.reduce<unknown>((at, key) => (isObject(at) ? at[key] : undefined), document);
    if (isObject(servers)) return { servers, inputs: readInputs(isObject(document) ? document.inputs : undefined) };
  }
  throw invalidConfig(`${path} has neither mcpServers (Claude, Cursor) nor servers (VS Code).`);
}

function readInputs(inputs: unknown): Record<string, string> {
  const defaults: Record<string, string> = {};
  for (const input of Array.isArray(inputs) ? inputs : [])
    if (isObject(input) && typeof input.id === "string" && typeof input.default === "string")
      defaults[input.id] = input.default;
  return defaults;
}
