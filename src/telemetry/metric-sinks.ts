import type { InstrumentName } from "./instruments.ts";
import type { Attributes } from "./telemetry.ts";

export type { InstrumentName };

/** Takes measurements. */
export interface MetricSink {
  measure(instrument: InstrumentName, value: number, attributes: Attributes): void;
}

/** Sinks of this process other than an SDK. */
export const metricSinks = new Set<MetricSink>();
