export type PermissionAction = "allow" | "ask" | "deny";

/**
 * One rule. `permission` names a tool in any case ("bash", "task", "*"), `pattern` matches its argument: the command,
 * path, URL or agent. In both, `*` matches any characters and `?` matches one.
 */
export interface PermissionRule {
  readonly permission: string;
  readonly pattern: string;
  readonly action: PermissionAction;
}

/** The rule that decides; the last that matches wins. When none matches, the answer is to ask. */
export function evaluatePermission(
  permission: string,
  pattern: string,
  rules: readonly PermissionRule[],
): PermissionRule {
  const decisive = rules.findLast(
    (rule) => namesPermission(rule, permission) && matchesWildcard(pattern, rule.pattern),
  );
  return decisive ?? { permission, pattern: "*", action: "ask" };
}

/** True for a rule that holds whatever the tool is called with. */
export function isOutright({ pattern }: Pick<PermissionRule, "pattern">): boolean {
  return /^\*+$/.test(pattern);
}

/** True when no call of this tool can be permitted: a rule denies every pattern and no later one lifts it. */
export function isPermissionDenied(permission: string, rules: readonly PermissionRule[]): boolean {
  const own = rules.filter((rule) => namesPermission(rule, permission));
  const denial = own.findLastIndex((rule) => rule.action === "deny" && rule.pattern === "*");
  return denial >= 0 && own.slice(denial + 1).every((rule) => rule.action === "deny");
}

/** Matches the whole text in time linear to text × pattern at worst, whatever the pattern. */
export function matchesWildcard(text: string, pattern: string): boolean {
  let at = 0;
  let wanted = 0;
  let star = -1;
  let retry = 0;
  while (at < text.length) {
    if (pattern[wanted] === "*") {
      star = wanted++;
      retry = at;
    } else if (wanted < pattern.length && (pattern[wanted] === "?" || pattern[wanted] === text[at])) {
      at++;
      wanted++;
    } else if (star >= 0) {
      wanted = star + 1;
      at = ++retry;
    } else {
      return false;
    }
  }
  while (pattern[wanted] === "*") wanted++;
  return wanted === pattern.length;
}

/** True for a rule about this tool. */
export function namesPermission(rule: PermissionRule, permission: string): boolean {
  return matchesWildcard(permission.toLowerCase(), rule.permission.toLowerCase());
}
