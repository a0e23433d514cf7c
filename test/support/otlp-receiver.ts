import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface OtlpValue {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
  readonly arrayValue?: { readonly values: readonly OtlpValue[] };
}

interface OtlpAttribute {
  readonly key: string;
  readonly value: OtlpValue;
}

interface OtlpPoint {
  readonly attributes: readonly OtlpAttribute[];
  readonly asDouble?: number;
  readonly asInt?: number | string;
  readonly count?: number | string;
  readonly sum?: number;
}

type Scoped<Key extends string, Item> = readonly ({ readonly scope: { readonly name: string } } & Record<
  Key,
  readonly Item[]
>)[];

interface OtlpBody {
  readonly resourceSpans?: readonly { readonly scopeSpans: Scoped<"spans", OtlpSpan> }[];
  readonly resourceMetrics?: readonly { readonly scopeMetrics: Scoped<"metrics", OtlpMetric> }[];
}

interface OtlpSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly status?: { readonly code?: number; readonly message?: string };
}

interface OtlpMetric {
  readonly name: string;
  readonly unit: string;
  readonly sum?: { readonly dataPoints: readonly OtlpPoint[] };
  readonly histogram?: { readonly dataPoints: readonly OtlpPoint[] };
}

type Plain = string | number | boolean | undefined | readonly Plain[];

export interface ReceivedSpan extends Omit<OtlpSpan, "attributes"> {
  readonly scope: string;
  readonly attributes: Readonly<Record<string, Plain>>;
}

export interface ReceivedPoint {
  readonly metric: string;
  readonly unit: string;
  /** The sum of a counter, or how many values a histogram has. */
  readonly value: number;
  /** Of a histogram. */
  readonly sum?: number | undefined;
  readonly attributes: Readonly<Record<string, Plain>>;
}

export interface OtlpReceiver {
  /** Base URL; serves /v1/traces and /v1/metrics. */
  readonly url: string;
  /** Everything that came, as text. */
  readonly bodies: readonly string[];
  spans(): readonly ReceivedSpan[];
  /** Those of the last export of each process are its totals. */
  points(): readonly ReceivedPoint[];
  close(): Promise<void>;
}

/** Receives OTLP as JSON over HTTP, as a collector does. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    bodies.push(Buffer.concat(chunks).toString());
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const parsed = () => bodies.map((body) => JSON.parse(body) as OtlpBody);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    spans: () => parsed().flatMap(spansIn),
    points: () => parsed().flatMap(pointsIn),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function spansIn({ resourceSpans = [] }: OtlpBody): ReceivedSpan[] {
  const scopes = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans);
  return scopes.flatMap(({ scope, spans }) =>
    spans.map((span) => ({ ...span, scope: scope.name, attributes: plain(span.attributes) })),
  );
}

function pointsIn({ resourceMetrics = [] }: OtlpBody): ReceivedPoint[] {
  const metrics = resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  return metrics.flatMap(({ name, unit, sum, histogram }) =>
    [...(sum?.dataPoints ?? []), ...(histogram?.dataPoints ?? [])].map((point) => ({
      metric: name,
      unit,
      value: Number(point.count ?? point.asInt ?? point.asDouble),
      sum: point.sum,
      attributes: plain(point.attributes),
    })),
  );
}

function plain(attributes: readonly OtlpAttribute[]): Record<string, Plain> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, plainValue(value)]));
}

function plainValue(value: OtlpValue): Plain {
  if (value.arrayValue) return value.arrayValue.values.map(plainValue);
  const { stringValue, boolValue, doubleValue, intValue } = value;
  return stringValue ?? boolValue ?? doubleValue ?? (intValue === undefined ? undefined : Number(intValue));
}
