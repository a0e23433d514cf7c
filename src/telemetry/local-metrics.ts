import { Redaction } from "../redact/redaction.ts";
import { INSTRUMENTS, type Instrument, type InstrumentName } from "./instruments.ts";
import { type MetricSink, metricSinks } from "./metric-sinks.ts";
import type { Attributes } from "./telemetry.ts";

/** One combination of attributes. */
interface Series {
  readonly labels: Readonly<Record<string, string>>;
  count: number;
  sum: number;
  /** Values up to each bound, and above the last; of a histogram. */
  readonly buckets: number[];
}

/** Upper bound of series per instrument, because callers choose tool names. Later series are counted together. */
const MAX_SERIES = 500;
/** Most characters of a label. */
const MAX_LABEL = 100;
const OVERFLOW = { "otel.metric.overflow": true } as const;
const UNITS: Readonly<Record<string, string>> = { s: "_seconds", By: "_bytes" };

/** Counts in this process and shows it as Prometheus reads it; needs no SDK. */
export class LocalMetrics implements MetricSink {
  readonly #series = new Map<InstrumentName, Map<string, Series>>();
  readonly #redaction = new Redaction({}, process.env);

  /** Counts until it is closed. */
  static open(): LocalMetrics {
    const metrics = new LocalMetrics();
    metricSinks.add(metrics);
    return metrics;
  }

  close(): void {
    metricSinks.delete(this);
  }

  measure(name: InstrumentName, value: number, attributes: Attributes): void {
    const { kind, bounds = [] }: Instrument = INSTRUMENTS[name];
    const series = this.#find(name, attributes, bounds.length + 1);
    series.count += 1;
    series.sum += value;
    if (kind === "histogram") series.buckets[bucketOf(value, bounds)]! += 1;
  }

  /** In Prometheus' text format. */
  render(): string {
    const names = Object.keys(INSTRUMENTS) as InstrumentName[];
    return names.flatMap((name) => this.#renderInstrument(name)).join("");
  }

  #find(name: InstrumentName, attributes: Attributes, buckets: number): Series {
    const all = this.#series.get(name) ?? new Map<string, Series>();
    this.#series.set(name, all);
    const key = JSON.stringify(attributes);
    const known = all.get(key);
    if (known !== undefined) return known;
    if (all.size >= MAX_SERIES && attributes !== OVERFLOW) return this.#find(name, OVERFLOW, buckets);
    const series = {
      labels: this.#labelsOf(attributes),
      count: 0,
      sum: 0,
      buckets: new Array<number>(buckets).fill(0),
    };
    all.set(key, series);
    return series;
  }

  #labelsOf(attributes: Attributes): Readonly<Record<string, string>> {
    const there = Object.entries(attributes).filter(([, value]) => value !== undefined);
    const clean = (text: string) => this.#redaction.text(text.slice(0, MAX_LABEL)).text;
    return Object.fromEntries(there.map(([name, value]) => [name.replaceAll(/\W/g, "_"), clean(String(value))]));
  }

  #renderInstrument(name: InstrumentName): readonly string[] {
    const { kind, unit, description, bounds = [] }: Instrument = INSTRUMENTS[name];
    const all = [...(this.#series.get(name)?.values() ?? [])];
    if (all.length === 0) return [];
    const base = name.replaceAll(".", "_");
    const suffix = UNITS[unit] ?? "";
    const full = `${base}${base.endsWith(suffix) ? "" : suffix}${kind === "counter" ? "_total" : ""}`;
    const head = [`# HELP ${full} ${description}\n`, `# TYPE ${full} ${kind}\n`];
    if (kind === "counter") return [...head, ...all.map(({ labels, sum }) => line(full, labels, sum))];
    return [...head, ...all.flatMap((series) => histogramLines(full, series, bounds))];
  }
}

function histogramLines(name: string, { labels, count, sum, buckets }: Series, bounds: readonly number[]): string[] {
  let upTo = 0;
  const lines = [...bounds.map(String), "+Inf"].map((le, index) => {
    upTo += buckets[index]!;
    return line(`${name}_bucket`, { ...labels, le }, upTo);
  });
  return [...lines, line(`${name}_sum`, labels, sum), line(`${name}_count`, labels, count)];
}

function bucketOf(value: number, bounds: readonly number[]): number {
  const found = bounds.findIndex((bound) => value <= bound);
  return found === -1 ? bounds.length : found;
}

function line(name: string, labels: Readonly<Record<string, string>>, value: number): string {
  const inside = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}${inside.length === 0 ? "" : `{${inside.join(",")}}`} ${value}\n`;
}

function escapeLabel(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
