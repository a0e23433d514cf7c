import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { describe, expect, it } from "vitest";
import { createPostgresSessions } from "../../src/agent/postgres/postgres-sessions.ts";
import { createSpillway } from "../../src/gate/spillway.ts";
import { PROJECT } from "../support/build.ts";
import { RawPeer } from "../support/mcp-peers.ts";
import { servers } from "./servers.ts";

describe.skipIf(servers.s3 === undefined || servers.postgres === undefined)("the fleet example", () => {
  it("one worker dies, the other goes on and reads what the first saved; statistics add up", async () => {
    const name = `f${randomUUID().replaceAll("-", "")}`;
    const sql = postgres(servers.postgres ?? "", { max: 1 });
    await sql.unsafe(`create database ${name}`);
    await sql.end();
    const { endpoint = "", accessKeyId = "", secretAccessKey = "" } = servers.s3 ?? {};
    const env = {
      ...process.env,
      AWS_ENDPOINT_URL: endpoint,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_EC2_METADATA_DISABLED: "true",
      SPILLWAY_STORE: `s3://fleet-${name}/agents`.slice(0, 60),
      SPILLWAY_SESSIONS: (servers.postgres ?? "").replace(/[^/]+$/, name),
    };
    const run = (...args: string[]) => spawnSync(process.execPath, args, { env, encoding: "utf8", timeout: 120_000 });
    const { status, stdout, stderr } = run(path.join(PROJECT, "examples/fleet/run.mjs"));
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(
      /worker one: Bash saved s3:\/\/\S+\nworker one was killed in ses_\w+\nworker two: Line 123456/,
    );
    const spillway = path.join(PROJECT, "bin/spillway.mjs");
    expect(run(spillway, "sessions", "list").stdout).toMatch(/ses_\w+ .* done /);
    expect(run(spillway, "sessions", "show", "latest").stdout).toContain("What is in the middle?");
    await lookAt(spillway, env);
    const records = createPostgresSessions({ url: env.SPILLWAY_SESSIONS });
    // The killed worker's truncation was recorded as it happened.
    expect(await records.readRecords()).toContainEqual(expect.objectContaining({ tool: "Bash", surface: "agent" }));
    for (let machine = 0; machine < 2; machine++) {
      const root = mkdtempSync(path.join(tmpdir(), "spillway-machine-"));
      const gate = createSpillway({ root, config: false, surface: "agent", records });
      await gate.govern("a line\n".repeat(10_000), { tool: "Bash" });
      await gate.flush();
    }
    await records.close();
    expect(run(spillway, "stats").stdout).toMatch(/Bash +2 +2 \(100 %\)/);
    await callThroughProxy(spillway, env);
    // Small results were counted as it ended, large ones by the thread that bounded them.
    expect(run(spillway, "stats").stdout).toMatch(/meta +2 +2 \(100 %\)/);
  });
});

/** Two long results through the proxy of a machine that is gone afterwards, one of them larger than is kept in memory. */
async function callThroughProxy(spillway: string, env: NodeJS.ProcessEnv): Promise<void> {
  const root = mkdtempSync(path.join(tmpdir(), "spillway-proxy-"));
  const server = path.join(PROJECT, "test/support/meta-mcp-server.mjs");
  const args = [spillway, "proxy", "--root", root, "--", process.execPath, server];
  const peer = new RawPeer(args, env as Record<string, string>);
  await peer.initialize();
  const { result } = await peer.call("meta", { lines: 20_000 });
  // What the client is pointed to is read from the bucket.
  const link = result.content.find(({ type }: { type: string }) => type === "resource_link");
  const read = await peer.request("resources/read", { uri: `${link.uri}?lines=19999-20000` });
  expect(read.result.contents[0].text).toBe("a line\na line\n");
  await peer.call("meta", { lines: 3_000_000 });
  expect(await peer.close()).toBe(0);
}

/** The inspector of a machine that has nothing of its own shows the bucket's outputs and the database's sessions. */
async function lookAt(spillway: string, env: NodeJS.ProcessEnv): Promise<void> {
  const root = mkdtempSync(path.join(tmpdir(), "spillway-onlooker-"));
  const server = spawn(process.execPath, [spillway, "ui", "--no-open", "--root", root], { env, cwd: root });
  try {
    const [line] = (await once(server.stdout, "data")) as [Buffer];
    const url = new URL(line.toString().trim());
    const headers = { Authorization: `Bearer ${url.searchParams.get("token")}` };
    // biome-ignore lint/suspicious/noExplicitAny: each answer has a shape of its own
    const get = async (what: string): Promise<any> => (await fetch(`${url.origin}/api/v1/${what}`, { headers })).json();
    const { sessions } = await get("sessions");
    expect(sessions).toContainEqual(expect.objectContaining({ prompt: "What is in the middle?", state: "done" }));
    const { timeline } = await get(`sessions/${sessions[0].id}`);
    expect(timeline.map(({ kind }: { kind: string }) => kind)).toContain("result");
    const { outputs } = await get("outputs");
    expect(outputs[0]).toMatchObject({ tool: "Bash", surface: "agent" });
    const { id, lines } = outputs[0];
    expect(await get(`outputs/${id}/preview`)).toMatchObject({ truncated: true, source: { lines } });
    expect((await get(`outputs/${id}/lines?from=${lines}`)).lines).toHaveLength(1);
    expect((await get(`outputs/${id}/grep?pattern=123456`)).total).toBeGreaterThan(0);
  } finally {
    server.kill();
  }
}
