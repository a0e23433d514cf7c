import path from "node:path";
import { quoteWord } from "../../gate/quote-word.ts";
import { hookFile } from "../../integrations/hosts/front-files.ts";
import type { HookPlace, Host, PluginPlace } from "../../integrations/hosts/host.ts";
import { PLUGIN_MARK, pluginText } from "../../integrations/hosts/plugin-files.ts";
import { installedFolder } from "../../integrations/hosts/program-folder.ts";
import { removeJsonItems, setJsonItem } from "./edit-json-list.ts";
import { type ChangeRequest, isOurs, type Plan, partRefused, projectRefused, refuseOwner } from "./plan.ts";

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
  if (!remove) {
    plan.fronts.push(hook);
    if (place.warning !== undefined) plan.remarks.push(`${place.warning}.`);
  }
  plan.edit(file, `${HOOKS}.${place.event}`, (text) => {
    if (remove) return removeJsonItems(text, HOOKS, place.event, isOurHook);
    const own = {
      matcher: place.matcher,
      hooks: [{ type: "command", command: quoteWord(hook.path), timeout: place.timeout }],
    };
    return setJsonItem(text, HOOKS, place.event, own, isOurHook);
  });
}

function isOurHook(entry: unknown): boolean {
  const hooks = (entry as { readonly hooks?: unknown } | null)?.hooks;
  return Array.isArray(hooks) && hooks.some((hook) => isOurs((hook as { readonly command?: unknown } | null)?.command));
}
