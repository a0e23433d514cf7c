import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { createSpillway } from "../../src/gate/spillway.ts";
import { registerSdk } from "../telemetry/sdk.ts";
import { refuse, startFaultProxy } from "./fault-proxy.ts";
import { BUCKET, newStore, servers } from "./servers.ts";

it.skipIf(servers.s3 === undefined)("an artifact's requests to the bucket stand below it in the trace", async () => {
  await newStore().init();
  const sdk = await registerSdk();
  const proxy = await startFaultProxy(servers.s3?.endpoint ?? "");
  let refusals = 0;
  proxy.fault = (_, response) => (refusals++ === 0 ? refuse(response, 503, "SlowDown") : undefined);
  const prefix = randomUUID();
  const store = newStore({ prefix, endpoint: proxy.endpoint });
  const root = mkdtempSync(path.join(tmpdir(), "spillway-traced-"));
  const governed = await createSpillway({ root, config: false, store }).govern("a line\n".repeat(10_000), {
    tool: "Far",
  });
  await createSpillway({ root, config: false, store: newStore({ bucket: `none-${prefix}` }) }).govern(
    "x\n".repeat(9_000),
  );
  await sdk.flush();
  await proxy.close();
  await sdk.close();

  const uri = governed.kind === "bounded" && "artifact" in governed.storage ? governed.storage.artifact.path : "";
  expect(uri).toMatch(new RegExp(`^s3://${BUCKET}/${prefix}/`));
  const write = sdk
    .spans()
    .find((span) => span.name === "spillway.store.write" && span.attributes["spillway.artifact.uri"] === uri);
  const puts = sdk.spans().filter(({ parentSpanId }) => parentSpanId === write?.spanId);
  expect(puts.map(({ name, kind }) => [name, kind])).toEqual([
    ["S3 PUT", 3],
    ["S3 PUT", 3],
  ]);
  expect(puts[0]?.attributes).toMatchObject({
    "aws.s3.bucket": BUCKET,
    "aws.s3.key": uri.slice(`s3://${BUCKET}/`.length),
    "http.request.resend_count": 1,
    "server.address": "127.0.0.1",
  });
  const spooled = sdk.spans().find(({ attributes }) => attributes["error.type"] === "spooled");
  expect(spooled).toMatchObject({ name: "spillway.store.write", status: { code: 2 } });
  const points = sdk.points();
  const errors = points.find(({ metric }) => metric === "spillway.store.errors");
  expect(errors).toMatchObject({ value: 1, attributes: { "error.type": "spooled" } });
  const requests = points.filter(({ metric }) => metric === "spillway.store.request.duration");
  expect(requests.map(({ attributes }) => attributes["error.type"])).toContain("NoSuchBucket");
});
