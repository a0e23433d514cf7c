import { pathToFileURL } from "node:url";
import { type Attributes, inSpan, measure, type OpenSpan, secondsSince, startSpan } from "../telemetry/telemetry.ts";
import type { Capture, GateOptions, Governed, Storage } from "./types.ts";

const GATE_SPAN = "spillway.gate";

/** Attributes of an output, for a span. */
export function outputAttributes(result: Governed): Attributes {
  const { size, strategy, outcome } = result;
  const base = { "spillway.output.bytes": size.bytes, "spillway.outcome": outcome.kind };
  if (result.kind === "whole") return { ...base, "spillway.truncated": false };
  return {
    ...base,
    "spillway.truncated": true,
    "spillway.preview.bytes": Buffer.byteLength(result.preview.text),
    "spillway.strategy": strategy,
    "spillway.shape": result.preview.shape,
    ...storageAttributes(result.storage),
  };
}

/** Attributes of the saved artifact, for a span. */
export function storageAttributes(storage: Storage): Attributes {
  if ("lost" in storage) return { "spillway.lost": storage.lost };
  const { path } = storage.artifact;
  const uri = /^[a-z][\w+.-]+:\/\//i.test(path) ? path : pathToFileURL(path).href;
  return { "spillway.artifact.uri": uri, "spillway.spooled": storage.spooled };
}

/** Counts one output, once. */
export function measureOutput(result: Governed, shownBytes: number, surface: string): void {
  const by = { "gen_ai.tool.name": result.tool, "spillway.surface": surface };
  measure("spillway.outputs", 1, { ...by, "spillway.outcome": result.outcome.kind });
  measure("spillway.output.bytes", result.size.bytes, by);
  measure("spillway.preview.bytes", shownBytes, by);
  if (result.kind === "whole") return;
  const { shape } = result.preview;
  measure("spillway.truncations", 1, { ...by, "spillway.strategy": result.strategy, "spillway.shape": shape });
}

/** Bounds an output inside a span. */
export async function observeGovern(
  options: GateOptions,
  surface: string,
  work: () => Promise<Governed>,
): Promise<Governed> {
  const startedAt = performance.now();
  return inSpan(GATE_SPAN, { attributes: callAttributes(options, surface) }, async (span) => {
    const result = await work();
    conclude(span, result, startedAt);
    return result;
  });
}

/** A capture inside a span, from its opening to its end. */
export async function observeCapture(
  options: GateOptions,
  surface: string,
  open: () => Promise<Capture>,
): Promise<Capture> {
  const span = await startSpan(GATE_SPAN, { attributes: callAttributes(options, surface) });
  const capture = await open();
  const inside = <T>(work: () => T): T => (span === undefined ? work() : span.run(work));
  return {
    get size() {
      return capture.size;
    },
    follow: (listener) => capture.follow(listener),
    write: (chunk) => inside(() => capture.write(chunk)),
    finish: async (outcome) => {
      const startedAt = performance.now();
      const result = await inside(() => capture.finish(outcome));
      conclude(span, result, startedAt);
      span?.end();
      return result;
    },
    discard: async () => {
      await capture.discard();
      span?.end();
    },
  };
}

function callAttributes({ tool, callId }: GateOptions, surface: string): Attributes {
  return { "gen_ai.tool.name": tool, "gen_ai.tool.call.id": callId, "spillway.surface": surface };
}

function conclude(span: OpenSpan | undefined, result: Governed, startedAt: number): void {
  span?.set({ "gen_ai.tool.name": result.tool, ...outputAttributes(result) });
  if (result.kind === "bounded" && "lost" in result.storage) span?.fail("lost", result.storage.lost);
  measure("spillway.gate.duration", secondsSince(startedAt), { "spillway.truncated": result.kind === "bounded" });
}
