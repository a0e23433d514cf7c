import { readlinkSync, realpathSync } from "node:fs";
import path from "node:path";
import {
  evaluatePermission,
  isOutright,
  isPermissionDenied,
  namesPermission,
  type PermissionAction,
  type PermissionRule,
} from "../gate/permissions.ts";
import { pathBelow } from "../platform/folders.ts";

/** Asks a person; resolves to whether the call may be made. */
export type AskPermission = (request: {
  readonly tool: string;
  readonly pattern: string;
  readonly input: unknown;
}) => Promise<boolean>;

/** What becomes of calls that no rule decides: a person is asked, all are allowed, or none. */
export type AskMode = "ask" | "yes" | "never";

const READERS = ["Read", "LS", "Glob", "Grep", "RepoMap", "RepoStructure", "ArtifactSearch", "ArtifactQuery", "Task"];

/** Reading is allowed, everything else asks; sessions and artifacts are not for tools to change. */
export const DEFAULT_RULES: readonly PermissionRule[] = [
  { permission: "*", pattern: "*", action: "ask" },
  ...READERS.map((permission): PermissionRule => ({ permission, pattern: "*", action: "allow" })),
  { permission: "write", pattern: ".agents/*", action: "deny" },
  { permission: "edit", pattern: ".agents/*", action: "deny" },
];

/** Rules in which nothing asks unless there is someone to ask. `deny` is never lifted. */
export function resolveRules(rules: readonly PermissionRule[], mode: AskMode): readonly PermissionRule[] {
  if (mode === "ask") return rules;
  const action: PermissionAction = mode === "yes" ? "allow" : "deny";
  const fallback: PermissionRule = { permission: "*", pattern: "*", action };
  return [fallback, ...rules.map((rule) => (rule.action === "ask" ? { ...rule, action } : rule))];
}

/** The same rules by the tools' own names, where one names a tool by another. */
export function ruleTools(
  rules: readonly PermissionRule[],
  tools: readonly { readonly name: string; readonly aliases?: readonly string[] | undefined }[],
): readonly PermissionRule[] {
  const names = new Map(tools.flatMap(({ name, aliases = [] }) => aliases.map((one) => [one.toLowerCase(), name])));
  return rules.map((rule) => ({ ...rule, permission: names.get(rule.permission.toLowerCase()) ?? rule.permission }));
}

/** True when the model should be told of this tool. */
export function isOffered(tool: string, rules: readonly PermissionRule[]): boolean {
  return !isPermissionDenied(tool, rules);
}

export interface PermissionDecision {
  readonly action: PermissionAction;
  /** What the rules were asked about: the command, path, URL or agent. */
  readonly pattern: string;
  /** True when only a person who looks at the call can tell whether a rule denies it. */
  readonly mayBeDenied?: boolean | undefined;
}

/** Parameters that say what a call touches, the telling one first. */
const SUBJECTS = ["command", "path", "file_path", "repo_path", "url", "agent"];
const STRICTEST: readonly PermissionAction[] = ["deny", "ask", "allow"];

/** Decides one call. A path counts as given and with its links followed, a shell line in all its commands. */
export async function decidePermission(
  tool: string,
  input: unknown,
  rules: readonly PermissionRule[],
  root: string,
): Promise<PermissionDecision> {
  const [kind, subject] = subjectOf(input);
  if (kind === "command") return decideCommand(tool, subject, input as { readonly env?: unknown }, rules);
  const patterns = isPathKind(kind) ? pathForms(subject, root) : [subject];
  const actions = patterns.map((pattern) => evaluatePermission(tool, pattern, rules).action);
  const action = STRICTEST.find((one) => actions.includes(one)) ?? "ask";
  return { action, pattern: patterns[actions.indexOf(action)] ?? subject };
}

async function decideCommand(
  tool: string,
  line: string,
  { env }: { readonly env?: unknown },
  rules: readonly PermissionRule[],
): Promise<PermissionDecision> {
  const own = rules.filter((rule) => namesPermission(rule, tool));
  if (own.every(isOutright)) return { action: evaluatePermission(tool, line, own).action, pattern: line.trim() };
  const [{ judgeLine }, { loadShellReader }] = await Promise.all([
    import("./judge-line.ts"),
    import("./shell-line.ts"),
  ]);
  const verdict = judgeLine(line, tool, own, await loadShellReader());
  // A variable may make any program run another one.
  const hasEnv = typeof env === "object" && env !== null && Object.keys(env).length > 0;
  return verdict.action === "allow" && hasEnv && !verdict.isOutright ? { ...verdict, action: "ask" } : verdict;
}

function subjectOf(input: unknown): [kind: string, subject: string] {
  if (typeof input === "object" && input !== null) {
    for (const key of SUBJECTS) {
      const value = (input as Record<string, unknown>)[key];
      if (typeof value === "string") return [key, value];
    }
  }
  return ["", "*"];
}

const MAX_LINKS = 40;

const isPathKind = (kind: string) => kind.endsWith("path");

function pathForms(given: string, root: string): string[] {
  const absolute = path.resolve(root, given);
  return [...new Set([relativeForm(root, absolute), relativeForm(followLinks(root), followLinks(absolute))])];
}

/** Where a path leads, also one to what does not exist yet: the folders on its way may be links all the same. */
function followLinks(absolute: string, links = 0): string {
  try {
    return realpathSync(absolute);
  } catch {
    const folder = path.dirname(absolute);
    if (folder === absolute || links > MAX_LINKS) return absolute;
    const real = followLinks(folder, links);
    const target = linkTarget(absolute);
    return target === undefined
      ? path.join(real, path.basename(absolute))
      : followLinks(path.resolve(real, target), links + 1);
  }
}

function linkTarget(absolute: string): string | undefined {
  try {
    return readlinkSync(absolute);
  } catch {
    return undefined;
  }
}

function relativeForm(root: string, absolute: string): string {
  const below = pathBelow(root, absolute);
  return below === "" ? "." : (below ?? absolute);
}
