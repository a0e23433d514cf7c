import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { proxyArgs, RawPeer, spillwayArgs, support } from "../support/mcp-peers.ts";
import { type OtlpReceiver, startOtlpReceiver } from "../support/otlp-receiver.ts";
import { spillway } from "../support/spillway-command.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const ABOVE = "00f067aa0ba902b7";
const TRACEPARENT = `00-${TRACE}-${ABOVE}-01`;

let receiver: OtlpReceiver;
let env: Record<string, string>;
beforeAll(async () => {
  receiver = await startOtlpReceiver();
  const register = pathToFileURL(support("otel-register.mjs")).href;
  env = { NODE_OPTIONS: `--import ${register}`, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url };
});
afterAll(() => receiver.close());

const root = () => mkdtempSync(join(tmpdir(), "spillway-telemetry-"));

it("goes from the environment through the command line into its child", async () => {
  const shown = await spillway(["run", "--root", root(), "--", "sh", "-c", "echo $TRACEPARENT"], {
    env: { ...env, TRACEPARENT },
  });
  expect(shown).toMatchObject({ exitCode: 0, err: "" });
  expect(shown.out).toBe(`${TRACEPARENT}\n`);
  const gate = receiver.spans().find(({ name, traceId }) => name === "spillway.gate" && traceId === TRACE);
  expect(gate).toMatchObject({ parentSpanId: ABOVE, attributes: { "spillway.surface": "cli" } });
});

it("goes through the proxy in _meta, with a span of the proxy between", async () => {
  const peer = new RawPeer(await proxyArgs(root(), [support("meta-mcp-server.mjs")]), env);
  await peer.initialize();
  const answer = await peer.call("meta", {}, { traceparent: TRACEPARENT, "example.com/kept": 1 });
  await peer.call("meta", { lines: 20_000 }, { traceparent: TRACEPARENT });
  await peer.call("meta", { fail: true });
  expect(await peer.close()).toBe(0);

  const calls = receiver.spans().filter(({ name }) => name === "tools/call meta");
  expect(calls).toHaveLength(3);
  const [small, large, failed] = calls;
  expect(small).toMatchObject({
    kind: 2,
    traceId: TRACE,
    parentSpanId: ABOVE,
    attributes: {
      "mcp.method.name": "tools/call",
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "meta",
      "network.transport": "pipe",
    },
  });
  const { meta } = JSON.parse(answer.result.content[0].text);
  expect(meta).toEqual({ traceparent: `00-${TRACE}-${small!.spanId}-01`, "example.com/kept": 1 });
  expect(large?.attributes).toMatchObject({ "spillway.truncated": true, "spillway.output.bytes": 20_000 * 7 });
  expect(large?.attributes["spillway.artifact.uri"]).toMatch(/^spillway:/);
  expect(receiver.spans().some(({ parentSpanId }) => parentSpanId === large!.spanId)).toBe(true);
  expect(failed?.attributes["error.type"]).toBe("tool_error");
  expect(failed?.traceId).not.toBe(TRACE);
  const times = receiver.points().filter(({ metric }) => metric === "mcp.server.operation.duration");
  expect(times.find(({ attributes }) => attributes["error.type"] === "tool_error")?.value).toBe(1);
});

it("reaches the tools of Spillway's own server", async () => {
  const args = await spillwayArgs("mcp", "--root", root());
  const peer = new RawPeer(args, env);
  await peer.initialize();
  await peer.call("LS", { path: "." }, { traceparent: TRACEPARENT });
  expect(await peer.close()).toBe(0);
  const call = receiver.spans().find(({ name }) => name === "tools/call LS");
  expect(call).toMatchObject({ kind: 2, traceId: TRACE, parentSpanId: ABOVE });
  const tool = receiver.spans().find(({ name }) => name === "execute_tool LS");
  expect(tool).toMatchObject({ traceId: TRACE, parentSpanId: call!.spanId });
});
