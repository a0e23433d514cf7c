import { existsSync } from "node:fs";
import path from "node:path";
import { quoteWord } from "../../gate/quote-word.ts";
import {
  type FrontFile,
  frontFiles,
  type OwnShellPlace,
  shellProgram,
  zshFile,
} from "../../integrations/hosts/front-files.ts";
import { type Host, replacesShell, type ShellPlace } from "../../integrations/hosts/host.ts";
import { installedFolder } from "../../integrations/hosts/program-folder.ts";
import { whyReadOnly } from "./check-writable.ts";
import { readVariable, removeVariable, setVariable } from "./edit-dotenv.ts";
import { readJsonEntry, removeJsonEntry, setJsonEntry } from "./edit-jsonc.ts";
import { readTomlKey, removeTomlKey, setTomlKey } from "./edit-toml-key.ts";
import { type ChangeRequest, isOurs, type Plan, partRefused, projectRefused, refuseOwner } from "./plan.ts";
import { planResults } from "./plan-results.ts";

/** What the shell prints, bounded below the host's permission rules. */
export function planShell(plan: Plan, host: Host, request: ChangeRequest): void {
  const { project, remove } = request;
  const { shell } = host;
  if (replacesShell(host)) {
    if (shell !== undefined && !remove) plan.fronts.push(...frontFiles(host, shell, installedFolder()));
    if (shell?.by === "bash-env-dotenv") planDotenv(plan, host, shell, remove);
    planResults(plan, host, request);
    return;
  }
  if (shell?.by === "launcher") {
    if (project) throw projectRefused(host);
    if (remove) return;
    const fronts = frontFiles(host, shell, installedFolder());
    plan.fronts.push(...fronts);
    const start = `BASH_ENV=${quoteWord(fronts.at(-1)!.path)} ${shell.program}`;
    plan.remarks.push(
      `no setting of ${host.title} reaches its shell. Start it with: ${start}`,
      `or add this line to the file of your own shell, such as ~/.bashrc: alias ${shell.program}=${quoteWord(start)}`,
    );
    return;
  }
  if (shell === undefined || shell.by === "plugin" || shell.by === "bash-env-dotenv")
    throw partRefused(host, "--shell", "its shell cannot be wrapped without touching its permission rules");
  const fronts = frontFiles(host, shell, installedFolder());
  if (!remove) plan.fronts.push(...fronts);
  if (shell.by === "shell") planOwnShell(plan, host, shell, request);
  else if (project) throw projectRefused(host);
  else planToml(plan, shell, fronts, remove);
}

/** The host's shell is a program of ours; a shell that the user chose for the host is kept below it. */
function planOwnShell(plan: Plan, host: Host, shell: OwnShellPlace, { project, root, remove }: ChangeRequest): void {
  const { section, key, formerKey } = shell;
  const file = project ? path.join(root, shell.projectSettings) : shell.settings();
  const own = shell.programFolder();
  const writable = whyReadOnly(path.join(own, "bash")) === undefined;
  const program = shellProgram(host, shell, installedFolder(), writable ? own : undefined);
  if (!remove) {
    plan.fronts.push(program);
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

function planToml(plan: Plan, shell: TomlPlace, fronts: readonly FrontFile[], remove: boolean): void {
  const file = shell.settings();
  const at = (name: string): string[] => [shell.section, shell.key, name];
  const ours: readonly (readonly [string, string])[] = [
    ["BASH_ENV", fronts.at(-1)!.path],
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
}

/**
 * BASH_ENV in the host's own `.env` file, where the user has one: the whole of an output is then saved, which the hook
 * gets only the last 16 MB of. The host reads one `.env` file only, so a new one would hide another of the user's.
 */
function planDotenv(plan: Plan, host: Host, shell: DotenvPlace, remove: boolean): void {
  const file = shell.envFile();
  const front = frontFiles(host, shell, installedFolder()).at(-1)!.path;
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
      .reduce((edited, [name, value]) => setVariable(edited, name, value), setVariable(text, "BASH_ENV", front));
  });
}

type TomlPlace = Extract<ShellPlace, { by: "bash-env-toml" }>;
type DotenvPlace = Extract<ShellPlace, { by: "bash-env-dotenv" }>;

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
