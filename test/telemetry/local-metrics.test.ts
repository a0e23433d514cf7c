import { expect, it } from "vitest";
import { LocalMetrics } from "../../src/telemetry/local-metrics.ts";
import { measure } from "../../src/telemetry/telemetry.ts";

it("adds up counters and histograms by their labels, and shows them as Prometheus reads them", () => {
  const metrics = LocalMetrics.open();
  measure("spillway.outputs", 1, { "gen_ai.tool.name": 'a "b"\\\n', "spillway.shape": undefined });
  measure("spillway.outputs", 1, { "gen_ai.tool.name": 'a "b"\\\n', "spillway.shape": undefined });
  measure("spillway.gate.duration", 0.0004);
  measure("spillway.gate.duration", 0.3);
  measure("spillway.gate.duration", 100);
  metrics.close();
  measure("spillway.outputs", 1);
  const lines = metrics.render().split("\n");
  expect(lines.filter((line) => line.includes("outputs"))).toEqual([
    "# HELP spillway_outputs_total Outputs that passed the gate.",
    "# TYPE spillway_outputs_total counter",
    'spillway_outputs_total{gen_ai_tool_name="a \\"b\\"\\\\\\n"} 2',
  ]);
  expect(lines).toContain('spillway_gate_duration_seconds_bucket{le="0.0005"} 1');
  expect(lines).toContain('spillway_gate_duration_seconds_bucket{le="0.25"} 1');
  expect(lines).toContain('spillway_gate_duration_seconds_bucket{le="0.5"} 2');
  expect(lines).toContain('spillway_gate_duration_seconds_bucket{le="+Inf"} 3');
  expect(lines).toContain("spillway_gate_duration_seconds_sum 100.3004");
  expect(lines).toContain("spillway_gate_duration_seconds_count 3");
});

it("keeps a bounded number of series, and no secret in a label", () => {
  const metrics = LocalMetrics.open();
  const key = `ghp_${"aB3dE5".repeat(6)}`;
  measure("spillway.outputs", 1, { "gen_ai.tool.name": key });
  for (let tool = 0; tool < 2_000; tool++) measure("spillway.outputs", 1, { "gen_ai.tool.name": `tool-${tool}` });
  metrics.close();
  const shown = metrics.render();
  expect(shown).not.toContain(key);
  const series = shown.split("\n").filter((line) => line.startsWith("spillway_outputs_total"));
  expect(series).toHaveLength(501);
  expect(series.at(-1)).toBe('spillway_outputs_total{otel_metric_overflow="true"} 1501');
});
