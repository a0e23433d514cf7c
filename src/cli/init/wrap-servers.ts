import type { McpPlace } from "../../integrations/hosts/host.ts";
import { readJsonEntry, setJsonEntry } from "./edit-jsonc.ts";

/** A text of the host's file with each local server behind the proxy, under its own name. */
export interface WrappedServers {
  readonly text: string;
  readonly wrapped: readonly string[];
  /** Names of entries that were left alone, with the reason. */
  readonly left: readonly string[];
}

/** Puts the proxy in front of every server that the file starts; `proxy` is how that is started. */
export function wrapServers(text: string, place: McpPlace, proxy: readonly [string, ...string[]]): WrappedServers {
  return changeServers(text, place, (entry) => {
    const argv = argvOf(entry);
    if (argv === undefined) return "it is not started by the host";
    if (isOurs(argv)) return "it is Spillway's already";
    return withArgv(entry, [...proxy, "proxy", "--", ...argv]);
  });
}

/** Takes the proxy away again wherever it stands in front of a server. */
export function unwrapServers(text: string, place: McpPlace): WrappedServers {
  return changeServers(text, place, (entry) => {
    const argv = argvOf(entry);
    const at = argv === undefined ? -1 : argv.indexOf("proxy");
    if (argv === undefined || at === -1 || argv[at + 1] !== "--" || !isOurs(argv)) return "it has no proxy of ours";
    return withArgv(entry, argv.slice(at + 2));
  });
}

type Entry = Readonly<Record<string, unknown>>;

function changeServers(text: string, place: McpPlace, change: (entry: Entry) => Entry | string): WrappedServers {
  const servers = place.format === "json" ? readJsonEntry(text, place.section) : undefined;
  const result = { text, wrapped: [] as string[], left: [] as string[] };
  for (const [name, entry] of Object.entries((servers ?? {}) as Record<string, unknown>)) {
    const changed = typeof entry === "object" && entry !== null ? change(entry as Entry) : "it is no server";
    if (typeof changed === "string") result.left.push(`${name}: ${changed}`);
    else {
      result.text = setJsonEntry(result.text, place.section, name, changed);
      result.wrapped.push(name);
    }
  }
  return result;
}

function argvOf({ command, args }: Entry): readonly string[] | undefined {
  const argv = Array.isArray(command) ? command : typeof command === "string" ? [command, ...toList(args)] : [];
  return argv.length > 0 && argv.every((word) => typeof word === "string") ? (argv as string[]) : undefined;
}

function withArgv(entry: Entry, argv: readonly string[]): Entry {
  const [command, ...args] = argv;
  return Array.isArray(entry.command) ? { ...entry, command: argv } : { ...entry, command, args };
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isOurs(argv: readonly string[]): boolean {
  const start = argv.slice(0, 4);
  return start.some((word) => /(?:^|[/\\])spillway(?:\.mjs)?$/.test(word));
}
