import type { Host, McpPlace } from "../../integrations/hosts/host.ts";
import { INSTALLED } from "../../integrations/hosts/program-folder.ts";
import { seenName } from "../../integrations/mcp-shared/mcp-client.ts";
import { READER_NAME } from "../../integrations/mcp-shared/reader-tool.ts";
import { readJsonEntry, setJsonAt } from "./edit-jsonc.ts";
import { isBelow, readTomlKey, removeTomlKey, scanToml, setTomlKey } from "./edit-toml.ts";

/** A text of the host's file with each local server behind the proxy, under its own name. */
export interface WrappedServers {
  readonly text: string;
  readonly wrapped: readonly string[];
  /** Names of entries that were left alone, with the reason. */
  readonly left: readonly string[];
}

export interface WrapOptions {
  /** How the proxy is started. */
  readonly proxy: readonly [string, ...string[]];
  /** Options of the proxy's, for every server. */
  readonly flags: readonly string[];
}

/** Puts the proxy in front of every server that the file starts; where tools' names are known, one has the reader for all. */
export function wrapServers(text: string, host: Host, place: McpPlace, { proxy, flags }: WrapOptions): WrappedServers {
  let first: string | undefined;
  return changeServers(text, place, (argv, name) => {
    if (isOurs(argv)) {
      // An entry of an older version gets this version's program; options that the user wrote stay.
      const older = argv[1]?.match(PROGRAM) && argv.slice(0, 2).join("\n") !== proxy.slice(0, 2).join("\n");
      return older ? [...proxy, ...argv.slice(2)] : ALREADY_OURS;
    }
    const reader =
      first !== undefined && place.client?.toolNames ? seenName(READER_NAME, place.client, first) : undefined;
    first ??= name;
    const own = ["--host", host.name, "--name", name, ...(reader === undefined ? [] : ["--reader", reader]), ...flags];
    return [...proxy, "proxy", ...own, "--", ...argv];
  });
}

/** Removes the proxy from every server. */
export function unwrapServers(text: string, place: McpPlace): WrappedServers {
  return changeServers(text, place, (argv) => {
    const at = argv.indexOf("proxy");
    const end = argv.indexOf("--", at);
    return at === -1 || end === -1 || !isOurs(argv) ? "it is not behind our proxy" : argv.slice(end + 1);
  });
}

export const ALREADY_OURS = "it is already Spillway's";
const PROGRAM = new RegExp(`${INSTALLED.source}bin[/\\\\]spillway\\.mjs$`);

type ChangeArgv = (argv: readonly string[], name: string) => readonly string[] | string;
const NOT_STARTED = "the agent does not start it by a command";

type Entry = Readonly<Record<string, unknown>>;

function changeServers(text: string, place: McpPlace, change: ChangeArgv): WrappedServers {
  const result = { text, wrapped: [] as string[], left: [] as string[] };
  const { names, edit } = place.format === "json" ? jsonServers(text, place) : tomlServers(text, place);
  for (const name of names) {
    const changed = edit(result.text, name, change);
    if (typeof changed === "string") result.left.push(`${name}: ${changed}`);
    else {
      result.text = changed.text;
      result.wrapped.push(name);
    }
  }
  return result;
}

interface Servers {
  readonly names: readonly string[];
  /** The text with the server's command changed, or why it was not. */
  readonly edit: (text: string, name: string, change: ChangeArgv) => { readonly text: string } | string;
}

/** Only the values of `command` and `args` change; comments and all else of an entry stay. */
function jsonServers(text: string, { section }: McpPlace): Servers {
  const servers = (readJsonEntry(text, section) ?? {}) as Record<string, unknown>;
  return {
    names: Object.keys(servers),
    edit: (now, name, change) => {
      const entry = servers[name];
      if (typeof entry !== "object" || entry === null) return "it is not a server";
      const argv = argvOf(entry as Entry);
      const changed = argv === undefined ? NOT_STARTED : change(argv, name);
      if (typeof changed === "string") return changed;
      const [command, ...args] = changed;
      if (Array.isArray((entry as Entry).command)) return { text: setJsonAt(now, [section, name, "command"], changed) };
      const started = setJsonAt(now, [section, name, "command"], command);
      return { text: setJsonAt(started, [section, name, "args"], args) };
    },
  };
}

/** The same; a sub-table such as `env` stays where it is. */
function tomlServers(text: string, { section }: McpPlace): Servers {
  const { tables, keys } = scanToml(text);
  const paths = [...tables, ...keys]
    .map(({ path }) => path)
    .filter((path) => path.length > 1 && isBelow(path, [section]));
  return {
    names: [...new Set(paths.map((path) => path[1]!))],
    edit: (now, name, change) => {
      const command = readTomlKey(now, [section, name, "command"]);
      const args = readTomlKey(now, [section, name, "args"]);
      if (typeof command !== "string" || typeof args === "string") return NOT_STARTED;
      const changed = change([command, ...(args ?? [])], name);
      if (typeof changed === "string") return changed;
      const [program, ...rest] = changed;
      const started = setTomlKey(now, [section, name, "command"], program);
      if (rest.length === 0) return { text: removeTomlKey(started, [section, name, "args"], { keepTable: true }) };
      return { text: setTomlKey(started, [section, name, "args"], rest) };
    },
  };
}

function argvOf({ command, args }: Entry): readonly string[] | undefined {
  const argv = Array.isArray(command) ? command : typeof command === "string" ? [command, ...toList(args)] : [];
  return argv.length > 0 && argv.every((word) => typeof word === "string") ? (argv as string[]) : undefined;
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** True for Spillway's own command line, and not for a folder of that name which a server is given. */
function isOurs(argv: readonly string[]): boolean {
  const at = argv.slice(0, 4).findIndex((word) => /(?:^|[/\\])spillway(?:\.mjs)?$/.test(word));
  return at !== -1 && ["proxy", "mcp"].includes(argv[at + 1] ?? "");
}
