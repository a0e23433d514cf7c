import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startProxy } from "../../src/integrations/mcp.ts";
import { connectHttp, spillwayArgs, support } from "../support/mcp-peers.ts";

type Proxy = Awaited<ReturnType<typeof startProxy>>;

let proxy: Proxy;
let origin: string;
beforeAll(async () => {
  proxy = await startProxy({
    root: mkdtempSync(join(tmpdir(), "spillway-listen-")),
    upstream: { command: process.execPath, args: [support("meta-mcp-server.mjs")] },
    listen: { host: "127.0.0.1", port: 0, token: "a-token-of-the-test" },
    report: () => undefined,
  });
  origin = new URL(proxy.url!).origin;
});
afterAll(() => proxy.close());

const AUTHORIZATION = { authorization: "Bearer a-token-of-the-test" };

it("says that it lives to whoever asks, by any name", async () => {
  const { port } = new URL(origin);
  const status = await new Promise<[number | undefined, string]>((resolve, reject) => {
    const asking = request(
      { port, host: "127.0.0.1", path: "/healthz", headers: { host: "10.2.3.4:8080" } },
      (answer) => answer.setEncoding("utf8").once("data", (body: string) => resolve([answer.statusCode, body])),
    );
    asking.once("error", reject).end();
  });
  expect(status).toEqual([200, '{"status":"ok"}']);
});

it("counts for Prometheus without an SDK, and only for those who may ask", async () => {
  const client = await connectHttp("v2", proxy.url!, AUTHORIZATION);
  await client.callTool({ name: "meta", arguments: { lines: 20_000 } });
  await client.callTool({ name: "meta", arguments: { fail: true } });
  await client.close();

  expect((await fetch(`${origin}/metrics`)).status).toBe(401);
  const answer = await fetch(`${origin}/metrics`, { headers: AUTHORIZATION });
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const lines = (await answer.text()).split("\n");
  const countOf = (start: string) =>
    Number(
      lines
        .find((line) => line.startsWith(start))
        ?.split(" ")
        .at(-1),
    );
  const meta = 'gen_ai_tool_name="meta",spillway_surface="proxy"';
  expect(lines).toContain("# TYPE spillway_outputs_total counter");
  expect(countOf(`spillway_truncations_total{${meta}`)).toBe(1);
  expect(countOf(`spillway_output_bytes_total{${meta}`)).toBeGreaterThan(140_000);
  expect(countOf(`spillway_preview_bytes_total{${meta}`)).toBeLessThan(52_000);
  const call = 'mcp_method_name="tools/call",gen_ai_tool_name="meta",gen_ai_operation_name="execute_tool"';
  expect(countOf(`mcp_server_operation_duration_seconds_count{${call}}`)).toBe(1);
  expect(countOf(`mcp_server_operation_duration_seconds_count{${call},error_type="tool_error"}`)).toBe(1);
  expect(countOf(`mcp_server_operation_duration_seconds_bucket{${call},le="+Inf"}`)).toBe(1);
  expect(countOf("spillway_gate_duration_seconds_count")).toBeGreaterThan(0);
});

it("counts what a thread of its own has bounded too", async () => {
  const root = mkdtempSync(join(tmpdir(), "spillway-listen-"));
  const server = ["--listen", "127.0.0.1:0", "--no-token", "--", process.execPath, support("meta-mcp-server.mjs")];
  const child = spawn(process.execPath, await spillwayArgs("proxy", "--root", root, ...server), {
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    let said = "";
    for await (const chunk of child.stderr) {
      said += String(chunk);
      if (/listens on \S+\n/.test(said)) break;
    }
    const url = /listens on (\S+)/.exec(said)?.[1] ?? "";
    const client = await connectHttp("v2", url);
    await client.callTool({ name: "meta", arguments: { lines: 3_000_000 } });
    await client.close();
    const shown = await (await fetch(new URL("/metrics", url))).text();
    expect(shown).toMatch(/^spillway_truncations_total\{gen_ai_tool_name="meta",.*\} 1$/m);
    expect(shown).toMatch(/^spillway_output_bytes_total\{gen_ai_tool_name="meta",.*\} 21000000$/m);
  } finally {
    child.kill();
  }
});
