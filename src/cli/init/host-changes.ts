import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { stateFolder } from "../../artifacts/local/state-folder.ts";
import { SpillwayError } from "../../errors.ts";
import { type FrontFile, frontFiles } from "../../integrations/hosts/front-files.ts";
import type { Host } from "../../integrations/hosts/host.ts";
import { PLUGIN_MARK, pluginText } from "../../integrations/hosts/plugin-files.ts";
import { installedFolder } from "../../integrations/hosts/program-folder.ts";
import { readVariable, removeVariable, setVariable } from "./edit-dotenv.ts";
import { readJsonEntry, removeJsonEntry, setJsonEntry } from "./edit-jsonc.ts";
import { readTomlKey, removeTomlKey, setTomlKey } from "./edit-toml-key.ts";
import { unwrapServers, wrapServers } from "./wrap-servers.ts";

export const PARTS = ["shell", "results", "mcp"] as const;
export type Part = (typeof PARTS)[number];

/** One file of a host's as it is and as it should be. */
export interface FileChange {
  readonly file: string;
  readonly before: string | undefined;
  /** Undefined when the file goes away. */
  readonly after: string | undefined;
  /** What it does, in a few words. */
  readonly what: string;
}

export interface HostChanges {
  readonly changes: readonly FileChange[];
  /** What the host starts or reads, in our own folder. */
  readonly fronts: readonly FrontFile[];
  /** What the user should know besides. */
  readonly remarks: readonly string[];
}

export interface ChangeRequest {
  readonly parts: readonly Part[];
  readonly project: boolean;
  readonly root: string;
  readonly remove: boolean;
}

/** What is best for a host when nothing is said. */
export function bestParts(host: Host): readonly Part[] {
  const own = PARTS.filter((part) => part !== "mcp" && host[part] !== undefined);
  return own.length > 0 ? own : ["mcp"];
}

/** What `init` would change for a host. Throws where another owner's key stands in the way. */
export function planChanges(host: Host, request: ChangeRequest): HostChanges {
  const plan = new Plan();
  if (request.parts.includes("shell")) planShell(plan, host, request);
  if (request.parts.includes("results")) planResults(plan, host, request);
  if (request.parts.includes("mcp")) planMcp(plan, host, request);
  return plan.finish();
}

/** Collects edits, so that two to the same file become one change. */
class Plan {
  readonly fronts: FrontFile[] = [];
  readonly remarks: string[] = [];
  readonly #files = new Map<string, { before: string | undefined; after: string | undefined; what: string[] }>();

  edit(file: string, what: string, change: (text: string) => string | undefined): void {
    const known = this.#files.get(file) ?? { before: readIfThere(file), what: [] };
    const now = "after" in known ? known.after : known.before;
    this.#files.set(file, { before: known.before, after: change(now ?? ""), what: [...known.what, what] });
  }

  finish(): HostChanges {
    const changes = [...this.#files]
      .filter(([, { before, after }]) => (after ?? "") !== (before ?? ""))
      .map(([file, { before, after, what }]) => ({ file, before, after, what: what.join("; ") }));
    return { changes, fronts: this.fronts, remarks: this.remarks };
  }
}

function planShell(plan: Plan, host: Host, { project, root, remove }: ChangeRequest): void {
  const { shell } = host;
  if (shell === undefined) throw partRefused(host, "--shell", "its shell cannot be wrapped below its permission rules");
  if (project && shell.by !== "prefix") throw projectRefused(host);
  const fronts = frontFiles(host, shell, installedFolder());
  const front = fronts.at(-1)!.path;
  if (!remove) plan.fronts.push(...fronts);
  if (shell.by === "prefix") {
    const { section, key } = shell;
    const file = project ? path.join(root, shell.projectSettings) : shell.settings();
    plan.edit(file, `shell output through Spillway (${section}.${key})`, (text) => {
      const now = readJsonEntry(text, section, key);
      if (now !== undefined && !isOurs(now)) return refuseOwner(remove, text, file, `${section}.${key}`, now);
      return remove ? removeJsonEntry(text, section, key) : setJsonEntry(text, section, key, front);
    });
  } else if (shell.by === "bash-env-toml") {
    const file = shell.settings();
    const { section, key } = shell;
    plan.edit(file, `shell output through Spillway (${section}.${key}.BASH_ENV)`, (text) => {
      const now = readTomlKey(text, section, key, "BASH_ENV");
      if (now !== undefined && !isOurs(now)) return refuseOwner(remove, text, file, `${section}.${key}.BASH_ENV`, now);
      if (remove)
        return removeTomlKey(
          removeTomlKey(text, section, key, "SPILLWAY_BASH_ENV", { keepTable: true }),
          section,
          key,
          "BASH_ENV",
        );
      return chained().reduce(
        (edited, [name, value]) => setTomlKey(edited, section, key, name, value),
        setTomlKey(text, section, key, "BASH_ENV", front),
      );
    });
  } else {
    const file = shell.envFile();
    plan.edit(file, "shell output through Spillway (BASH_ENV)", (text) => {
      const now = readVariable(text, "BASH_ENV");
      if (now !== undefined && !isOurs(now)) return refuseOwner(remove, text, file, "BASH_ENV", now);
      if (remove) return removeVariable(removeVariable(text, "SPILLWAY_BASH_ENV"), "BASH_ENV");
      return chained().reduce(
        (edited, [name, value]) => setVariable(edited, name, value),
        setVariable(text, "BASH_ENV", front),
      );
    });
    const folder = path.join(stateFolder(), "tool-output");
    plan.edit(shell.settings(), "its own reader may read saved outputs (context.includeDirectories)", (text) => {
      const now = readJsonEntry(text, "context", "includeDirectories");
      const others = (Array.isArray(now) ? now : []).filter((one) => one !== folder);
      if (!remove) return setJsonEntry(text, "context", "includeDirectories", [...others, folder]);
      if (!Array.isArray(now) || others.length === now.length) return text;
      return others.length === 0
        ? removeJsonEntry(text, "context", "includeDirectories")
        : setJsonEntry(text, "context", "includeDirectories", others);
    });
    const name = path.basename(path.dirname(file));
    for (const nearer of [path.join(root, name, ".env"), path.join(root, ".env")])
      if (!remove && nearer !== file && existsSync(nearer))
        plan.remarks.push(
          `${host.title} reads ${nearer} instead of ${file} in this project; its shell stays as it is there.`,
        );
  }
}

/** What the user's own BASH_ENV was, so that it is read all the same. */
function chained(): readonly (readonly [string, string])[] {
  const before = process.env.SPILLWAY_BASH_ENV || process.env.BASH_ENV;
  return before === undefined || before === "" || isOurs(before) ? [] : [["SPILLWAY_BASH_ENV", before]];
}

function planResults(plan: Plan, host: Host, { project, remove }: ChangeRequest): void {
  const { results } = host;
  if (results === undefined) throw partRefused(host, "--results", "it lets nobody replace results");
  if (project) throw projectRefused(host);
  const file = results.userFile();
  plan.edit(file, "results through Spillway (a plugin file)", (text) => {
    if (text !== "" && !text.includes(PLUGIN_MARK))
      return refuseOwner(remove, text, file, "the file", "somebody else's");
    return remove ? undefined : pluginText(host, results, installedFolder());
  });
}

function planMcp(plan: Plan, host: Host, { project, root, remove }: ChangeRequest): void {
  const { mcp } = host;
  if (mcp === undefined) throw partRefused(host, "--mcp", "it knows no MCP servers");
  if (mcp.format === "toml") {
    plan.remarks.push(
      `${host.title}'s servers are not wrapped yet; use spillway init ${host.name} --name NAME -- SERVER.`,
    );
    return;
  }
  if (project && mcp.projectFile === undefined) throw projectRefused(host);
  const file = project ? path.join(root, mcp.projectFile!) : mcp.userFile();
  // A project's file is shared with others, whose program lies elsewhere.
  const proxy: readonly [string, ...string[]] = project
    ? ["npx", "-y", "spillway"]
    : [process.execPath, path.join(installedFolder(), "bin", "spillway.mjs")];
  const text = readIfThere(file) ?? "";
  const { wrapped, left } = remove ? unwrapServers(text, mcp) : wrapServers(text, mcp, proxy);
  if (wrapped.length > 0)
    plan.edit(
      file,
      `${remove ? "MCP servers without" : "MCP servers behind"} the proxy (${wrapped.join(", ")})`,
      (now) => (remove ? unwrapServers(now, mcp).text : wrapServers(now, mcp, proxy).text),
    );
  if (remove) return;
  if (wrapped.length === 0) plan.remarks.push(`${file} has no MCP server to wrap.`);
  plan.remarks.push(...left.map((one) => `left alone in ${file}: ${one}.`));
  if (host.shell === undefined && host.results === undefined)
    plan.remarks.push(`Only ${host.title}'s MCP servers can be reached; its built-in shell stays as it is.`);
}

function refuseOwner(remove: boolean, text: string, file: string, key: string, owner: unknown): string {
  if (remove) return text;
  throw new SpillwayError(
    "INVALID_CONFIG",
    `${key} in ${file} belongs to somebody else (${String(owner)}); it was left as it is.`,
  );
}

function partRefused(host: Host, flag: string, why: string): SpillwayError {
  return new SpillwayError("INVALID_ARGUMENT", `${flag} is not possible for ${host.title}: ${why}.`);
}

function projectRefused(host: Host): SpillwayError {
  return new SpillwayError(
    "INVALID_ARGUMENT",
    `--project is not possible for ${host.title}: it has no file for this that is not shared with others.`,
  );
}

/** A path of ours, of whatever version. */
function isOurs(value: unknown): boolean {
  return typeof value === "string" && /[/\\]spillway[/\\]\d+\.\d+\.\d+[^/\\]*[/\\]hosts[/\\]/.test(value);
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}
