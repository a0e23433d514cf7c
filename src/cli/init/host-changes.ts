import { existsSync } from "node:fs";
import path from "node:path";
import { stateFolder } from "../../artifacts/local/store-folder.ts";
import { quoteWord } from "../../gate/quote-word.ts";
import {
  type HookPlace,
  type Host,
  type PluginPlace,
  replacesShell,
  type ShellPlace,
} from "../../integrations/hosts/host.ts";
import { PLUGIN_MARK, pluginText } from "../../integrations/hosts/plugin-files.ts";
import { installedFolder } from "../../integrations/hosts/program-folder.ts";
import {
  hookFile,
  type OwnShellPlace,
  shellProgram,
  type WrapperFile,
  wrapperFiles,
  zshFile,
} from "../../integrations/hosts/wrapper-files.ts";
import { whyReadOnly } from "./edit-files.ts";
import { readJsonEntry, removeJsonEntry, removeJsonItems, setJsonEntry, setJsonItem } from "./edit-jsonc.ts";
import { readTomlKey, removeTomlKey, setTomlKey } from "./edit-toml.ts";
import {
  type ChangeRequest,
  type HostChanges,
  inFile,
  isOurs,
  PARTS,
  type Part,
  Plan,
  partRefused,
  projectRefused,
  readIfThere,
  refuseOwner,
  withComments,
} from "./plan.ts";
import { unwrapServers, wrapServers } from "./wrap-servers.ts";

/** The default parts of a host. */
export function bestParts(host: Host): readonly Part[] {
  const own = PARTS.filter((part) => part !== "mcp" && host[part] !== undefined);
  return own.length > 0 ? own : ["mcp"];
}

/** What `init` would change for a host. Throws if a key that it needs belongs to another program. */
export function planChanges(host: Host, request: ChangeRequest): HostChanges {
  const plan = new Plan();
  if (request.parts.includes("shell")) planShell(plan, host, request);
  if (request.parts.includes("results")) planResults(plan, host, request);
  if (request.parts.includes("mcp")) planMcp(plan, host, request);
  return plan.finish();
}

/** What the shell prints, bounded below the host's permission rules. */
export function planShell(plan: Plan, host: Host, request: ChangeRequest): void {
  const { project, remove } = request;
  const { shell } = host;
  if (replacesShell(host)) {
    if (shell !== undefined && !remove) plan.ownFiles.push(...wrapperFiles(host, shell, installedFolder()));
    if (shell?.by === "bash-env-dotenv") planDotenv(plan, host, shell, remove);
    planResults(plan, host, request);
    return;
  }
  if (shell?.by === "launcher") {
    if (project) throw projectRefused(host);
    if (remove) return;
    const ownFiles = wrapperFiles(host, shell, installedFolder());
    plan.ownFiles.push(...ownFiles);
    const start = `BASH_ENV=${quoteWord(ownFiles.at(-1)!.path)} ${shell.program}`;
    plan.remarks.push(
      `no setting of ${host.title} reaches its shell. Start it with: ${start}`,
      `or add this line to the file of your own shell, such as ~/.bashrc: alias ${shell.program}=${quoteWord(start)}`,
    );
    return;
  }
  if (shell === undefined || shell.by === "plugin" || shell.by === "bash-env-dotenv")
    throw partRefused(host, "--shell", "its shell cannot be wrapped without touching its permission rules");
  const ownFiles = wrapperFiles(host, shell, installedFolder());
  if (!remove) plan.ownFiles.push(...ownFiles);
  if (shell.by === "shell") planOwnShell(plan, host, shell, request);
  else if (project) throw projectRefused(host);
  else planToml(plan, shell, ownFiles, remove);
}

/** Sets our program as the host's shell; it runs lines in the shell that the user chose for the host. */
function planOwnShell(plan: Plan, host: Host, shell: OwnShellPlace, { project, root, remove }: ChangeRequest): void {
  const { section, key, formerKey } = shell;
  const file = project ? path.join(root, shell.projectSettings) : shell.settings();
  const own = shell.programFolder();
  const writable = whyReadOnly(path.join(own, "bash")) === undefined;
  const program = shellProgram(host, shell, installedFolder(), writable ? own : undefined);
  if (!remove) {
    plan.ownFiles.push(program);
    if (!existsSync(program.path))
      plan.remarks.push(`${host.title} starts ${program.path} as its shell; that is created too.`);
  }
  plan.edit(file, `${section}.${key}`, (before) => {
    const text = isOurs(readJsonEntry(before, section, formerKey))
      ? removeJsonEntry(before, section, formerKey)
      : before;
    const now = readJsonEntry(text, section, key);
    const kept = readJsonEntry(text, section, KEPT_SHELL);
    if (!remove) {
      const own = now ?? process.env[key];
      const chained = own === undefined || isOurs(own) ? text : setJsonEntry(text, section, KEPT_SHELL, own);
      return setJsonEntry(chained, section, key, program.path);
    }
    if (!isOurs(now)) return text;
    const rest = kept === undefined ? text : removeJsonEntry(text, section, KEPT_SHELL);
    return kept === undefined ? removeJsonEntry(rest, section, key) : setJsonEntry(rest, section, key, kept);
  });
}

const KEPT_SHELL = "SPILLWAY_SHELL";

function planToml(plan: Plan, shell: TomlPlace, ownFiles: readonly WrapperFile[], remove: boolean): void {
  const file = shell.settings();
  const at = (name: string): string[] => [shell.section, shell.key, name];
  const ours: readonly (readonly [string, string])[] = [
    ["BASH_ENV", ownFiles.at(-1)!.path],
    ["ZDOTDIR", path.dirname(zshFile(ownFiles))],
  ];
  plan.edit(file, `${shell.section}.${shell.key} (BASH_ENV, ZDOTDIR)`, (text) => {
    const passed = readTomlKey(text, [shell.section, "include_only"]);
    if (!remove && Array.isArray(passed) && !passed.includes("BASH_ENV"))
      plan.remarks.push(
        `${shell.section}.include_only in ${file} keeps BASH_ENV out; add it there, or nothing changes.`,
      );
    for (const [name] of ours) {
      const now = readTomlKey(text, at(name));
      if (now !== undefined && !isOurs(now)) return refuseOwner(remove, text, file, at(name).join("."), now);
    }
    const besides = Object.entries(shell.besides);
    if (!remove) {
      const missing = besides.filter(([name]) => readTomlKey(text, at(name)) === undefined);
      return [...ours, ...missing, ...chained()].reduce(
        (edited, [name, value]) => setTomlKey(edited, at(name), value),
        text,
      );
    }
    const own = besides.filter(([name, value]) => readTomlKey(text, at(name)) === value);
    const names = [...CHAINED.map(([, kept]) => kept), ...[...ours, ...own].map(([name]) => name)];
    return names.reduceRight((edited, name) => removeTomlKey(edited, at(name)), text);
  });
}

/**
 * BASH_ENV in the host's own `.env` file, where the user has one: the whole of an output is then saved, which the hook
 * gets only the last 16 MB of. The host reads one `.env` file only, so a new one would hide another of the user's.
 */
function planDotenv(plan: Plan, host: Host, shell: DotenvPlace, remove: boolean): void {
  const file = shell.envFile();
  const bashEnv = wrapperFiles(host, shell, installedFolder()).at(-1)!.path;
  if (!existsSync(file)) return;
  plan.edit(file, "BASH_ENV", (text) => {
    const now = readVariable(text, "BASH_ENV");
    if (now !== undefined && !isOurs(now)) return refuseOwner(remove, text, file, "BASH_ENV", now);
    const rest = removeVariable(removeVariable(text, "SPILLWAY_BASH_ENV"), "BASH_ENV");
    // A file with nothing else is one that an earlier version made.
    if (now !== undefined && rest === "") return undefined;
    if (remove) return rest;
    return chained()
      .filter(([name]) => name === "SPILLWAY_BASH_ENV")
      .reduce((edited, [name, value]) => setVariable(edited, name, value), setVariable(text, "BASH_ENV", bashEnv));
  });
}

type TomlPlace = Extract<ShellPlace, { by: "bash-env-toml" }>;
type DotenvPlace = Extract<ShellPlace, { by: "bash-env-dotenv" }>;

const CHAINED = [
  ["BASH_ENV", "SPILLWAY_BASH_ENV"],
  ["ZDOTDIR", "SPILLWAY_ZDOTDIR"],
] as const;

/** The user's own values, so that those files are still read. */
function chained(): readonly (readonly [string, string])[] {
  return CHAINED.flatMap(([theirs, own]) => {
    const before = process.env[own] || process.env[theirs];
    return before === undefined || before === "" || isOurs(before) ? [] : [[own, before] as const];
  });
}

const HOOKS = "hooks";

/** The results of the host's other tools. */
export function planResults(plan: Plan, host: Host, request: ChangeRequest): void {
  const { results } = host;
  if (results === undefined) throw partRefused(host, "--results", "it does not let results be replaced");
  if (results.by === "plugin") planPlugin(plan, host, results, request);
  else planHook(plan, host, results, request);
}

function planPlugin(plan: Plan, host: Host, place: PluginPlace, { project, remove }: ChangeRequest): void {
  if (project) throw projectRefused(host);
  const file = place.userFile();
  plan.edit(file, "a plugin", (text) => {
    if (text !== "" && !text.includes(PLUGIN_MARK))
      return refuseOwner(remove, text, file, "the file", "somebody else's");
    return remove ? undefined : pluginText(host, place, installedFolder());
  });
}

function planHook(plan: Plan, host: Host, place: HookPlace, { project, root, remove }: ChangeRequest): void {
  if (project && place.projectSettings === undefined) throw projectRefused(host);
  const file = project ? path.join(root, place.projectSettings!) : place.settings();
  const hook = hookFile(host, place, installedFolder());
  if (!remove) plan.ownFiles.push(hook);
  const isOwn = (entry: unknown): boolean => isOurs(JSON.stringify(entry) ?? "");
  for (const event of place.events)
    plan.edit(file, `${HOOKS}.${event}`, (text) => {
      if (remove) return removeJsonItems(text, HOOKS, event, isOwn);
      const own = quoteWord(hook.path);
      // Settings may outlive the program (dotfiles on another machine). The result then stays unchanged.
      const command = `if [ -x ${own} ]; then ${own}${place.events.length > 1 ? ` ${event}` : ""}; else cat >/dev/null; fi`;
      if (place.entry === undefined) return setJsonItem(text, HOOKS, event, matchedEntry(place, command), isOwn);
      const versioned = text.trim() === "" ? `${JSON.stringify({ version: 1 }, null, 2)}\n` : text;
      return setJsonItem(versioned, HOOKS, event, place.entry(command), isOwn);
    });
  planReadable(plan, host, remove);
  if (host.formerEnvFile !== undefined) planFormerEnvFile(plan, host.formerEnvFile());
}

/** A hook as Claude Code, Gemini CLI and Qwen Code write it. */
function matchedEntry({ matcher, timeout }: HookPlace, command: string): unknown {
  return { matcher, hooks: [{ type: "command", command, timeout }] };
}

/** Allows the host's reader to read saved outputs in the user's state folder. */
function planReadable(plan: Plan, { readable, formerReadable }: Host, remove: boolean): void {
  const settings = readable ?? formerReadable;
  if (settings === undefined) return;
  const folder = path.join(stateFolder(), "tool-output");
  const isOwn = (one: unknown): boolean => one === folder;
  const drop = remove || readable === undefined;
  if (drop && readIfThere(settings())?.includes(JSON.stringify(folder)) !== true) return;
  plan.edit(settings(), "context.includeDirectories, so that its reader may read saved outputs", (text) =>
    drop
      ? removeJsonItems(text, "context", "includeDirectories", isOwn)
      : setJsonItem(text, "context", "includeDirectories", folder, isOwn),
  );
}

/** Removes what earlier versions wrote, and the file if nothing else is in it. */
function planFormerEnvFile(plan: Plan, file: string): void {
  if (!existsSync(file)) return;
  plan.edit(file, "BASH_ENV of an earlier version", (text) => {
    if (!isOurs(readVariable(text, "BASH_ENV"))) return text;
    const rest = removeVariable(removeVariable(text, "SPILLWAY_BASH_ENV"), "BASH_ENV");
    return rest === "" ? undefined : rest;
  });
}

/** The MCP servers that are configured for the host, each behind the proxy. */
export function planMcp(plan: Plan, host: Host, { project, root, remove, proxyFlags = [] }: ChangeRequest): void {
  const { mcp } = host;
  if (mcp === undefined) throw partRefused(host, "--mcp", "it has no MCP servers");
  if (project && mcp.projectFile === undefined) throw projectRefused(host);
  const file = withComments(project ? path.join(root, mcp.projectFile!) : mcp.userFile());
  // A project's file is shared with others, whose program lies elsewhere.
  const proxy: readonly [string, ...string[]] = project
    ? ["npx", "-y", "spillway"]
    : [process.execPath, path.join(installedFolder(), "bin", "spillway.mjs")];
  const text = readIfThere(file) ?? "";
  const options = { proxy, flags: proxyFlags };
  const { wrapped, left } = inFile(file, () =>
    remove ? unwrapServers(text, mcp) : wrapServers(text, host, mcp, options),
  );
  if (wrapped.length > 0)
    plan.edit(file, `${wrapped.join(", ")} ${remove ? "without" : "behind"} the proxy`, (now) =>
      remove ? unwrapServers(now, mcp).text : wrapServers(now, host, mcp, options).text,
    );
  if (remove) return;
  if (wrapped.length === 0) plan.remarks.push(`${file} has no MCP server to put behind the proxy.`);
  const shared = mcp.projectFile === undefined ? file : withComments(path.join(root, mcp.projectFile));
  const others =
    shared === file ? [] : inFile(shared, () => wrapServers(readIfThere(shared) ?? "", host, mcp, options).wrapped);
  if (others.length > 0)
    plan.remarks.push(`${shared} has ${others.join(", ")}: --project puts those behind the proxy.`);
  if (left.length > 0) plan.remarks.push(`left alone: ${left.join("; ")}.`);
}

const LINE = (key: string) => new RegExp(`^[ \\t]*(?:export[ \\t]+)?${key}[ \\t]*=(.*)$`, "m");

/** The value of a variable in a `.env` file; undefined when it is not set there. */
export function readVariable(text: string, key: string): string | undefined {
  return LINE(key)
    .exec(text)?.[1]
    ?.trim()
    .replace(/^(["'])(.*)\1$/, "$2");
}

/** Sets a variable; every other line stays as it is. */
export function setVariable(text: string, key: string, value: string): string {
  const line = `${key}=${JSON.stringify(value)}`;
  if (LINE(key).test(text)) return text.replace(LINE(key), () => line);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  return `${text}${text === "" || text.endsWith("\n") ? "" : eol}${line}${eol}`;
}

/** Takes a variable out. */
export function removeVariable(text: string, key: string): string {
  return text.replace(new RegExp(`${LINE(key).source}(?:\\r?\\n)?`, "m"), "");
}
