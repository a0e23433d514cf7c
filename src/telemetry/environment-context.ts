import { activeCarrier, isTraced, within } from "./telemetry.ts";

/** Names of variables that carry a context from a process to its children. */
const VARIABLES = ["traceparent", "tracestate", "baggage"];

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of a child, with the active context in it; the same where nothing is traced. */
export async function withContext<T extends Environment>(env: T): Promise<T> {
  if (!isTraced()) return env;
  const carrier = Object.entries(await activeCarrier()).filter(([name]) => VARIABLES.includes(name));
  if (carrier.length === 0) return env;
  // What a process before ours left there is another's context.
  const without = Object.entries(env).filter(([name]) => !VARIABLES.includes(name.toLowerCase()));
  return Object.fromEntries([...without, ...carrier.map(([name, value]) => [name.toUpperCase(), value])]) as T;
}

/** Does the work of this process below the context that its parent left in the environment. */
export async function withinEnvironment<T>(env: Environment, work: () => Promise<T>): Promise<T> {
  if (!isTraced() || env.TRACEPARENT === undefined) return work();
  return within(Object.fromEntries(VARIABLES.map((name) => [name, env[name.toUpperCase()]])), work);
}
