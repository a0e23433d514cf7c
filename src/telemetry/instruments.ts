/** One counter or histogram. */
export interface Instrument {
  readonly kind: "counter" | "histogram";
  readonly unit: "s" | "By" | "{output}" | "{artifact}" | "{token}";
  readonly description: string;
  /** Upper bounds, of a histogram. */
  readonly bounds?: readonly number[];
}

/** Histogram bounds in seconds for work in this process. */
const SHORT = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Histogram bounds in seconds for model requests; the conventions name these. */
const LONG = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const TOKENS = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304];

/** Everything that is measured. */
export const INSTRUMENTS = {
  "spillway.outputs": counter("{output}", "Outputs that passed the gate."),
  "spillway.truncations": counter("{output}", "Outputs that were over a limit."),
  "spillway.output.bytes": counter("By", "Bytes of outputs."),
  "spillway.preview.bytes": counter("By", "Bytes that were shown of them."),
  "spillway.store.errors": counter("{artifact}", "Artifacts that are lost, spooled or without a manifest."),
  "spillway.gate.duration": histogram("s", "Time from a whole output, or the end of a stream, to its result.", SHORT),
  "spillway.store.duration": histogram("s", "Time from an artifact's opening to its end.", LONG),
  "spillway.store.request.duration": histogram("s", "Time of a request to a bucket, its repetitions included.", SHORT),
  "gen_ai.execute_tool.duration": histogram("s", "Time of a tool call.", LONG),
  "gen_ai.invoke_agent.duration": histogram("s", "Time of an agent's turn.", LONG),
  "gen_ai.client.operation.duration": histogram("s", "Time of a request to a model.", LONG),
  "gen_ai.client.token.usage": histogram("{token}", "Tokens of requests to models and of their answers.", TOKENS),
  "mcp.server.operation.duration": histogram("s", "Time of an MCP request, from its arrival to its answer.", LONG),
} as const satisfies Readonly<Record<string, Instrument>>;

export type InstrumentName = keyof typeof INSTRUMENTS;

function counter(unit: Instrument["unit"], description: string): Instrument {
  return { kind: "counter", unit, description };
}

function histogram(unit: Instrument["unit"], description: string, bounds: readonly number[]): Instrument {
  return { kind: "histogram", unit, description, bounds };
}
