import { messageOf } from "../errors.ts";
import { type InstrumentName, type MetricSink, metricSinks } from "./metric-sinks.ts";

/** Names of variables that carry a context from a process to its children. */
const VARIABLES = ["traceparent", "tracestate", "baggage"];

type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of a child, with the active context in it; the same where nothing is traced. */
export async function withContext<T extends Environment>(env: T): Promise<T> {
  if (!isTraced()) return env;
  const carrier = Object.entries(await activeCarrier()).filter(([name]) => VARIABLES.includes(name));
  if (carrier.length === 0) return env;
  // A value that an earlier process left belongs to another context.
  const without = Object.entries(env).filter(([name]) => !VARIABLES.includes(name.toLowerCase()));
  return Object.fromEntries([...without, ...carrier.map(([name, value]) => [name.toUpperCase(), value])]) as T;
}

/** Does the work of this process below the context that its parent left in the environment. */
export async function withinEnvironment<T>(env: Environment, work: () => Promise<T>): Promise<T> {
  if (!isTraced() || env.TRACEPARENT === undefined) return work();
  return within(Object.fromEntries(VARIABLES.map((name) => [name, env[name.toUpperCase()]])), work);
}

/** Attributes of a span or a measurement; undefined ones are left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/** Trace context in text form, as `traceparent`, `tracestate` and `baggage`. */
export type Carrier = Readonly<Record<string, string>>;

export interface SpanOptions {
  /** @default "internal" */
  readonly kind?: "internal" | "client" | "server" | undefined;
  readonly attributes?: Attributes | undefined;
  /** Where a caller elsewhere wrote its context. @default the context that is active */
  readonly parent?: Readonly<Record<string, unknown>> | undefined;
}

/** A piece of work that is being traced. */
export interface OpenSpan {
  set(attributes: Attributes): void;
  /** Says that it failed: `type` is one of few words, `message` is for people. */
  fail(type: string, message?: string): void;
  /** Makes it the parent of spans started meanwhile. */
  run<T>(work: () => T): T;
  /** Its context, to be sent along. */
  carrier(): Carrier;
  end(): void;
}

/** The parts of an OpenTelemetry SDK that are used. */
export interface Tracing extends MetricSink {
  startSpan(name: string, options: SpanOptions): OpenSpan;
  /** The active context, to be sent along. */
  carrier(): Carrier;
  /** Runs work below a context from elsewhere. */
  within<T>(carrier: Readonly<Record<string, unknown>>, work: () => T): T;
}

/** Where every copy of `@opentelemetry/api` 1 stores what an SDK registered. */
const REGISTERED = Symbol.for("opentelemetry.js.api.1");

let tracing: Tracing | undefined;
let loading: Promise<void> | undefined;
let unusable = false;

/** True when an OpenTelemetry SDK is registered in this process; nothing is loaded to find out. */
export function isTraced(): boolean {
  const registered = (globalThis as Record<symbol, { trace?: unknown; metrics?: unknown } | undefined>)[REGISTERED];
  return registered !== undefined && !unusable && (registered.trace !== undefined || registered.metrics !== undefined);
}

/** True if an SDK or a metrics page listens. */
export function isObserved(): boolean {
  return metricSinks.size > 0 || isTraced();
}

/** Starts a span; undefined where nothing is traced. */
export async function startSpan(name: string, options: SpanOptions = {}): Promise<OpenSpan | undefined> {
  return (await reachTracing())?.startSpan(name, options);
}

/** Runs work inside a span, which ends with it; a rejection marks it failed. */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: OpenSpan | undefined) => Promise<T>,
): Promise<T> {
  const span = await startSpan(name, options);
  if (span === undefined) return work(undefined);
  try {
    return await span.run(() => work(span));
  } catch (error) {
    span.fail(errorType(error), messageOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** The active context, to be sent along; empty where nothing is traced. */
export async function activeCarrier(): Promise<Carrier> {
  return (await reachTracing())?.carrier() ?? {};
}

/** Does work below a context from elsewhere. */
export async function within<T>(carrier: Readonly<Record<string, unknown>>, work: () => Promise<T>): Promise<T> {
  const reached = await reachTracing();
  return reached === undefined ? work() : reached.within(carrier, work);
}

/** Adds to a counter, or a value to a histogram. */
export function measure(instrument: InstrumentName, value: number, attributes: Attributes = {}): void {
  for (const sink of metricSinks) sink.measure(instrument, value, attributes);
  if (tracing !== undefined && isTraced()) tracing.measure(instrument, value, attributes);
}

/** Seconds since a moment of `performance.now()`. */
export function secondsSince(startedAt: number): number {
  return (performance.now() - startedAt) / 1000;
}

/** The error's kind, as one of a few words. */
export function errorType(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: unknown };
  if (typeof code === "string" && code !== "") return code;
  return typeof name === "string" && name !== "" ? name : "_OTHER";
}

async function reachTracing(): Promise<Tracing | undefined> {
  if (!isTraced()) return undefined;
  if (tracing === undefined) {
    loading ??= load();
    await loading;
  }
  return tracing;
}

async function load(): Promise<void> {
  const { openTracing } = await import("./open-tracing.ts");
  tracing = openTracing();
  if (tracing !== undefined) return;
  unusable = true;
  process.emitWarning(
    "An OpenTelemetry SDK is registered, but @opentelemetry/api cannot be loaded from here; install it next to spillway.",
  );
}
