import { existsSync } from "node:fs";
import path from "node:path";
import { stateFolder } from "../../artifacts/local/store-folder.ts";
import { quoteWord } from "../../gate/quote-word.ts";
import { hookFile } from "../../integrations/hosts/front-files.ts";
import type { HookPlace, Host, PluginPlace } from "../../integrations/hosts/host.ts";
import { PLUGIN_MARK, pluginText } from "../../integrations/hosts/plugin-files.ts";
import { installedFolder } from "../../integrations/hosts/program-folder.ts";
import { readVariable, removeVariable } from "./edit-dotenv.ts";
import { removeJsonItems, setJsonItem } from "./edit-json-list.ts";
import {
  type ChangeRequest,
  isOurs,
  type Plan,
  partRefused,
  projectRefused,
  readIfThere,
  refuseOwner,
} from "./plan.ts";

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
  if (!remove) plan.fronts.push(hook);
  const isOwn = (entry: unknown): boolean => isOurs(JSON.stringify(entry) ?? "");
  for (const event of place.events)
    plan.edit(file, `${HOOKS}.${event}`, (text) => {
      if (remove) return removeJsonItems(text, HOOKS, event, isOwn);
      const own = quoteWord(hook.path);
      // Settings may outlive the program (dotfiles on another machine): the tool's result is then shown as it is.
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

/** Where saved outputs lie in the user's state folder, the host's reader has to be allowed to read them. */
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
