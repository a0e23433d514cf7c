import { existsSync } from "node:fs";
import path from "node:path";
import { stateFolder } from "../../artifacts/local/state-folder.ts";
import { frontFiles, zshFile } from "../../integrations/hosts/front-files.ts";
import type { Host } from "../../integrations/hosts/host.ts";
import { installedFolder } from "../../integrations/hosts/program-folder.ts";
import { removeJsonItems, setJsonItem } from "./edit-json-list.ts";
import { readJsonEntry, removeJsonEntry, setJsonEntry } from "./edit-jsonc.ts";
import { readTomlKey, removeTomlKey, setTomlKey } from "./edit-toml-key.ts";
import { type ChangeRequest, isOurs, type Plan, partRefused, projectRefused, refuseOwner } from "./plan.ts";
import { planResults } from "./plan-results.ts";

/** What the shell prints, bounded below the host's permission rules. */
export function planShell(plan: Plan, host: Host, request: ChangeRequest): void {
  const { project, root, remove } = request;
  const { shell } = host;
  // There the shell's output is a result like others, or the plugin gives the shell its front.
  if (host.results?.by === "plugin") {
    if (shell?.by === "plugin" && !remove) plan.fronts.push(...frontFiles(host, shell, installedFolder()));
    planResults(plan, host, request);
    return;
  }
  if (shell === undefined || shell.by === "plugin")
    throw partRefused(host, "--shell", "its shell cannot be wrapped without touching its permission rules");
  if (project && shell.by !== "prefix") throw projectRefused(host);
  const fronts = frontFiles(host, shell, installedFolder());
  const front = fronts.at(-1)!.path;
  if (!remove) plan.fronts.push(...fronts);
  if (shell.by === "prefix") {
    const { section, key } = shell;
    const file = project ? path.join(root, shell.projectSettings) : shell.settings();
    plan.edit(file, `${section}.${key}`, (text) => {
      const now = readJsonEntry(text, section, key);
      if (now !== undefined && !isOurs(now)) return refuseOwner(remove, text, file, `${section}.${key}`, now);
      return remove ? removeJsonEntry(text, section, key) : setJsonEntry(text, section, key, front);
    });
  } else if (shell.by === "bash-env-toml") {
    const file = shell.settings();
    const at = (name: string): string[] => [shell.section, shell.key, name];
    const ours: readonly (readonly [string, string])[] = [
      ["BASH_ENV", front],
      ["ZDOTDIR", path.dirname(zshFile(fronts))],
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
  } else {
    const file = shell.envFile();
    plan.edit(file, "BASH_ENV", (text) => {
      const now = readVariable(text, "BASH_ENV");
      if (now !== undefined && !isOurs(now)) return refuseOwner(remove, text, file, "BASH_ENV", now);
      if (remove) return removeVariable(removeVariable(text, "SPILLWAY_BASH_ENV"), "BASH_ENV");
      return chained()
        .filter(([name]) => name === "SPILLWAY_BASH_ENV")
        .reduce((edited, [name, value]) => setVariable(edited, name, value), setVariable(text, "BASH_ENV", front));
    });
    const folder = path.join(stateFolder(), "tool-output");
    plan.edit(shell.settings(), "context.includeDirectories, so that its reader may read saved outputs", (text) => {
      const isOwn = (one: unknown): boolean => one === folder;
      return remove
        ? removeJsonItems(text, "context", "includeDirectories", isOwn)
        : setJsonItem(text, "context", "includeDirectories", folder, isOwn);
    });
    const name = path.basename(path.dirname(file));
    for (const nearer of [path.join(root, name, ".env"), path.join(root, ".env")])
      if (!remove && nearer !== file && existsSync(nearer))
        plan.remarks.push(
          `${host.title} reads ${nearer} instead of ${file} in this project; its shell stays as it is there.`,
        );
  }
}

const CHAINED = [
  ["BASH_ENV", "SPILLWAY_BASH_ENV"],
  ["ZDOTDIR", "SPILLWAY_ZDOTDIR"],
] as const;

/** What the user's own files were, so that they are read all the same. */
function chained(): readonly (readonly [string, string])[] {
  return CHAINED.flatMap(([theirs, own]) => {
    const before = process.env[own] || process.env[theirs];
    return before === undefined || before === "" || isOurs(before) ? [] : [[own, before] as const];
  });
}

const LINE = (key: string) => new RegExp(`^[ \\t]*(?:export[ \\t]+)?${key}[ \\t]*=(.*)$`, "m");

/** The value of a variable in a `.env` file; undefined when it is not set there. */
function readVariable(text: string, key: string): string | undefined {
  return LINE(key)
    .exec(text)?.[1]
    ?.trim()
    .replace(/^(["'])(.*)\1$/, "$2");
}

/** Sets a variable; every other line stays as it is. */
function setVariable(text: string, key: string, value: string): string {
  const line = `${key}=${JSON.stringify(value)}`;
  if (LINE(key).test(text)) return text.replace(LINE(key), () => line);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  return `${text}${text === "" || text.endsWith("\n") ? "" : eol}${line}${eol}`;
}

/** Takes a variable out. */
function removeVariable(text: string, key: string): string {
  return text.replace(new RegExp(`${LINE(key).source}(?:\\r?\\n)?`, "m"), "");
}
