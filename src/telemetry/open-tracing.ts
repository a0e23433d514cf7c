import { createRequire } from "node:module";
import type { Counter, Histogram, MeterProvider, Span } from "@opentelemetry/api";
import { Redaction } from "../redact/redaction.ts";
import { VERSION } from "../version.ts";
import { INSTRUMENTS, type Instrument, type InstrumentName } from "./instruments.ts";
import type { Attributes, Carrier, OpenSpan, SpanOptions, Tracing } from "./telemetry.ts";

type Api = typeof import("@opentelemetry/api");

const SCOPE = "spillway";
/** Most characters of a text that leaves this process. */
const MAX_TEXT = 1_000;

/** Reaches the registered SDK through the peer; undefined where the peer cannot be loaded. */
export function openTracing(): Tracing | undefined {
  const api = loadApi();
  return api && new OtelTracing(api);
}

function loadApi(): Api | undefined {
  try {
    return createRequire(import.meta.url)("@opentelemetry/api") as Api;
  } catch {
    return undefined;
  }
}

class OtelTracing implements Tracing {
  readonly #api: Api;
  /** Exported data is read by people who may not see the tools' output. */
  readonly #redaction = new Redaction({}, process.env);
  readonly #instruments = new WeakMap<MeterProvider, Map<InstrumentName, Counter | Histogram>>();

  constructor(api: Api) {
    this.#api = api;
  }

  startSpan(name: string, { kind = "internal", attributes = {}, parent }: SpanOptions): OpenSpan {
    const { context, trace, SpanKind, SpanStatusCode } = this.#api;
    const kinds = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT, server: SpanKind.SERVER };
    const above = parent === undefined ? context.active() : this.#extract(parent);
    const tracer = trace.getTracer(SCOPE, VERSION);
    const span: Span = tracer.startSpan(
      this.#clean(name),
      { kind: kinds[kind], attributes: this.#cleanAll(attributes) },
      above,
    );
    const inside = trace.setSpan(above, span);
    return {
      set: (more) => void span.setAttributes(this.#cleanAll(more)),
      fail: (type, message) => {
        span.setAttribute("error.type", this.#clean(type));
        span.setStatus({
          code: SpanStatusCode.ERROR,
          ...(message === undefined ? {} : { message: this.#clean(message) }),
        });
      },
      run: (work) => context.with(inside, work),
      carrier: () => this.#inject(inside),
      end: () => span.end(),
    };
  }

  carrier(): Carrier {
    return this.#inject(this.#api.context.active());
  }

  within<T>(carrier: Readonly<Record<string, unknown>>, work: () => T): T {
    return this.#api.context.with(this.#extract(carrier), work);
  }

  measure(name: InstrumentName, value: number, attributes: Attributes): void {
    const instrument = this.#instrument(name);
    if ("add" in instrument) instrument.add(value, this.#cleanAll(attributes));
    else instrument.record(value, this.#cleanAll(attributes));
  }

  #instrument(name: InstrumentName): Counter | Histogram {
    const provider = this.#api.metrics.getMeterProvider();
    const made = this.#instruments.get(provider) ?? new Map<InstrumentName, Counter | Histogram>();
    this.#instruments.set(provider, made);
    const known = made.get(name);
    if (known !== undefined) return known;
    const { kind, unit, description, bounds = [] }: Instrument = INSTRUMENTS[name];
    const meter = provider.getMeter(SCOPE, VERSION);
    const instrument =
      kind === "counter"
        ? meter.createCounter(name, { unit, description })
        : meter.createHistogram(name, { unit, description, advice: { explicitBucketBoundaries: [...bounds] } });
    made.set(name, instrument);
    return instrument;
  }

  #extract(carrier: Readonly<Record<string, unknown>>) {
    const { context, propagation } = this.#api;
    const texts = Object.entries(carrier).filter(([, value]) => typeof value === "string");
    return propagation.extract(context.active(), Object.fromEntries(texts));
  }

  #inject(context: ReturnType<Api["context"]["active"]>): Carrier {
    const carrier: Record<string, string> = {};
    this.#api.propagation.inject(context, carrier);
    return carrier;
  }

  #cleanAll(attributes: Attributes): Record<string, string | number | boolean | string[]> {
    const cleaned: Record<string, string | number | boolean | string[]> = {};
    for (const [key, value] of Object.entries(attributes)) {
      if (typeof value === "string") cleaned[key] = this.#clean(value);
      else if (typeof value === "object") cleaned[key] = value.map((one) => this.#clean(one));
      else if (value !== undefined) cleaned[key] = value;
    }
    return cleaned;
  }

  #clean(text: string): string {
    return this.#redaction.text(text.slice(0, MAX_TEXT)).text;
  }
}
