/** Registers a real SDK that exports to OTEL_EXPORTER_OTLP_ENDPOINT and sends the rest before the process ends; for `--import`. */
import { metrics } from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";

const tracing = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] });
tracing.register();
const metering = new MeterProvider({
  readers: [new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter(), exportIntervalMillis: 3_600_000 })],
});
metrics.setGlobalMeterProvider(metering);

/** Sends what is left. */
export const flushTelemetry = () => Promise.all([tracing.forceFlush(), metering.forceFlush()]);
process.once("beforeExit", flushTelemetry);
