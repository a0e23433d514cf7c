import { matchesName } from "../bytes/match-name.ts";
import type { EnvironmentRules } from "../limits/project-config.ts";

/** Variables that only Spillway needs: provider keys and its own secrets. */
const PROVIDER_KEYS = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_COMPATIBLE_API_KEY"];
const OWN_SECRETS = ["SPILLWAY_TOKEN", "SPILLWAY_HEADERS", "SPILLWAY_SESSIONS"];

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment for a command of a model: without Spillway's own keys unless `allow` names them, and without
 * those that `deny` names, which wins.
 */
export function commandEnvironment(
  env: Environment,
  { allow, deny }: EnvironmentRules = { allow: [], deny: [] },
): Record<string, string | undefined> {
  const own = [...PROVIDER_KEYS, ...OWN_SECRETS];
  return leaveOut(env, (name) => matches(deny, name) || (own.includes(name) && !matches(allow, name)));
}

/** The environment for a server that the user started: without Spillway's own secrets. */
export function serverEnvironment(env: Environment): Record<string, string | undefined> {
  return leaveOut(env, (name) => OWN_SECRETS.includes(name));
}

/** Names count in capitals: some platforms do not tell them apart. */
function leaveOut(env: Environment, left: (name: string) => boolean): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !left(name.toUpperCase())));
}

function matches(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => matchesName(pattern.toUpperCase(), name));
}
