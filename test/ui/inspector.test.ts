import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFileSessions } from "../../src/agent/file-sessions.ts";
import { inspectSessions } from "../../src/agent/list-sessions.ts";
import { createLocalStore } from "../../src/artifacts/index.ts";
import { createSpillway } from "../../src/gate/spillway.ts";
import type { BoundedResult } from "../../src/gate/types.ts";
import type { LinesPage, OutputDetail, OutputList, PreviewAnswer, Savings } from "../../src/ui/api.ts";
import { type RunningUi, startUi } from "../../src/ui/start-ui.ts";
import { temporaryFolder } from "../support/folder.ts";

const root = temporaryFolder("inspector");
const log = [
  ...Array.from({ length: 3000 }, (_, index) => `[${index + 1}/9000] compiling part ${index + 1}`),
  "src/pay.ts:3:5 - error TS2345: wrong type",
  ...Array.from({ length: 6000 }, (_, index) => `[${index + 3001}/9000] compiling part ${index + 3001}`),
].join("\n");
const spillway = createSpillway({ root, config: false, env: {}, surface: "cli", maxBytes: 4000 });
const stores = [{ store: createLocalStore({ root, dir: ".agents/tool-output" }), label: ".agents/tool-output" }];
const rules = { retentionDays: 7, quotaBytes: undefined };
let ui: RunningUi;
let base: string;
let headers: Record<string, string>;
let shown: BoundedResult;
let id: string;

beforeAll(async () => {
  mkdirSync(join(root, ".agents"), { recursive: true });
  const governed = await spillway.govern(log, {
    tool: "make",
    query: "wrong type",
    outcome: { kind: "failure", message: "the command ended with exit code 2", exitCode: 2 },
  });
  if (governed.kind !== "bounded" || !("artifact" in governed.storage)) expect.unreachable();
  shown = governed;
  id = governed.storage.artifact.id;
  await spillway.flush();
  const files = createFileSessions(root);
  const sessions = { list: async () => inspectSessions(root), read: (session: string) => files.read(session) };
  ui = await startUi({ root, stores, rules, sessions });
  const url = new URL(ui.url);
  base = url.origin;
  headers = { Authorization: `Bearer ${url.searchParams.get("token")}` };
});
afterAll(() => ui.close());

const RECORD = {
  schema: 1,
  at: "2026-01-01T00:00:00Z",
  surface: "cli",
  tool: "make",
  strategy: "smart",
  before: { lines: 40_000, bytes: 3_000_000, tokens: 750_000 },
  after: { lines: 60, bytes: 5000, tokens: 1250 },
  outcome: "success",
} as const;

async function get<T>(path: string): Promise<T> {
  const response = await fetch(`${base}/api/v1/${path}`, { headers });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

describe("who may look", () => {
  it("nobody without the token, and the token leaves the address for a cookie that scripts cannot read", async () => {
    expect((await fetch(`${base}/api/v1/outputs`)).status).toBe(401);
    expect((await fetch(`${base}/?token=wrong`)).status).toBe(401);
    const exchanged = await fetch(ui.url, { redirect: "manual" });
    expect(exchanged.status).toBe(303);
    expect(exchanged.headers.get("location")).toBe("/");
    const cookie = exchanged.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/HttpOnly; SameSite=Strict/);
    expect(cookie).toMatch(new RegExp(`^spillway_ui_${new URL(base).port}=`));
    const elsewhere = cookie.split(";")[0]!.replace(/_\d+=/, "_1=");
    expect((await fetch(`${base}/api/v1/outputs`, { headers: { Cookie: elsewhere } })).status).toBe(401);
    const page = await fetch(`${base}/api/v1/outputs`, { headers: { Cookie: cookie.split(";")[0] ?? "" } });
    expect(page.status).toBe(200);
  });

  it("no other page: Origin, Sec-Fetch-Site and Host are looked at", async () => {
    const ask = (more: Record<string, string>) => fetch(`${base}/api/v1/outputs`, { headers: { ...headers, ...more } });
    expect((await ask({ Origin: "http://evil.example" })).status).toBe(403);
    expect((await ask({ "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
    expect((await ask({ Origin: base })).status).toBe(200);
    const { request } = await import("node:http");
    const status = await new Promise((resolve) => {
      const url = new URL(`${base}/api/v1/outputs`);
      request(url, { headers: { ...headers, Host: "evil.example" } }, (response) => resolve(response.statusCode)).end();
    });
    expect(status).toBe(403);
  });

  it("nothing but the page's own files may run in it", async () => {
    const response = await fetch(`${base}/api/v1/outputs`, { headers });
    expect(response.headers.get("content-security-policy")).toMatch(/default-src 'none'; script-src 'self'/);
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  });
});

describe("what there is to see", () => {
  it("lists outputs with what was shown of them, and filters them", async () => {
    const { outputs, tools } = await get<OutputList>("outputs");
    expect(outputs).toMatchObject([
      { id, tool: "make", surface: "cli", shape: "log", outcome: "failure", lines: 9001 },
    ]);
    expect(tools).toEqual(["make"]);
    expect((await get<OutputList>("outputs?tool=other")).total).toBe(0);
    expect((await get<OutputList>("outputs?outcome=failure&text=MAK")).total).toBe(1);
  });

  it("shows again to the byte what the model was shown, and says why each block was kept", async () => {
    const preview = await get<PreviewAnswer>(`outputs/${id}/preview`);
    expect(preview.text).toBe(shown.preview.text);
    expect(preview.notice).toBe(shown.notice);
    expect(preview.asShown).toBe(true);
    const error = preview.blocks.find(({ startLine, endLine }) => startLine <= 3001 && endLine >= 3001);
    expect(error?.reason).not.toBe("");
    expect(error?.score).toBeGreaterThan(0);
  });

  it("shows it with other settings", async () => {
    const head = await get<PreviewAnswer>(`outputs/${id}/preview?strategy=head&max_lines=5`);
    expect(head.strategy).toBe("head");
    expect(head.text.split("\n").length).toBeLessThanOrEqual(5);
    expect(head.asShown).toBe(false);
    await expect(get(`outputs/${id}/preview?strategy=other`)).rejects.toThrow(/^400: .*strategy must be one of/);
    await expect(get(`outputs/${id}/preview?max_lines=-1`)).rejects.toThrow("400");
  });

  it("reads any lines, at most 256 KB", async () => {
    const page = await get<LinesPage>(`outputs/${id}/lines?from=3001&limit=2`);
    expect(page).toEqual({
      from: 3001,
      totalLines: 9001,
      lines: ["src/pay.ts:3:5 - error TS2345: wrong type", "[3001/9000] compiling part 3001"],
      lastCut: false,
    });
    const [last] = (await get<LinesPage>(`outputs/${id}/lines?from=9001`)).lines;
    expect(last).toBe("[9000/9000] compiling part 9000");
  });

  it("finds in one output and in all", async () => {
    expect(await get(`outputs/${id}/grep?pattern=TS%5Cd%2B`)).toMatchObject({ total: 1, matches: [{ line: 3001 }] });
    await expect(get(`outputs/${id}/grep?pattern=`)).rejects.toThrow("400");
    expect(await get("search?q=wrong+type")).toMatchObject({ hits: [{ id, tool: "make" }], skipped: 0 });
  });

  it("gives the bytes as a file, never as a page", async () => {
    const response = await fetch(`${base}/api/v1/outputs/${id}/raw`, { headers });
    expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename="tool_.*_make_/);
    expect(response.headers.get("content-type")).toBe("application/octet-stream");
    expect(await response.text()).toBe(log);
    expect((await fetch(`${base}/api/v1/outputs/${id}/image`, { headers })).status).toBe(415);
  });

  it("counts a saving against a window at most, and in CSV no name begins a formula", async () => {
    const { rows } = await get<Savings>("savings?by=tool");
    expect(rows).toMatchObject([{ key: "make", outputs: 1, bytes: Buffer.byteLength(log) }]);
    expect(rows[0]?.baselineBytes).toBeLessThanOrEqual(512_000);
    const csv = await (await fetch(`${base}/api/v1/savings?by=tool&format=csv`, { headers })).text();
    expect(csv).toMatch(/^key,outputs,.*\nmake,1,/);
    await expect(get("savings?by=nothing")).rejects.toThrow("400");
  });

  it("tells a saving of a host against the host's own cut", async () => {
    const { savingsOf, savingsCsv } = await import("../../src/ui/savings.ts");
    const record = { ...RECORD, surface: "claude-code", tool: "=cmd()" };
    const savings = savingsOf([record], "tool");
    expect(savings.rows[0]?.baselineBytes).toBeLessThan(40_000);
    expect(savingsCsv(savings)).toContain("\n'=cmd(),1,");
    const [plain] = savings.rows;
    const [less] = savingsOf([record], "tool", new Map([[record, 1000]])).rows;
    expect(less).toMatchObject({ rereadTokens: 1000, savedTokens: (plain?.savedTokens ?? 0) - 1000 });
  });

  it("takes what an agent read back of its outputs off the saving", async () => {
    const { withSessions } = await import("../../src/ui/savings.ts");
    const own = { ...RECORD, id: "0mwie4h5g0000ui1q1y3jf", surface: "agent" };
    const facts = { v: 1, at: "2026-01-01T00:00:00Z" } as const;
    const measure = { bytes: 900, tokens: 225 };
    const events = [
      { ...facts, seq: 1, type: "tool.call", callId: "c1", tool: "Read", input: { path: own.id } },
      {
        ...facts,
        seq: 2,
        type: "tool.result",
        callId: "c1",
        tool: "Read",
        status: "success",
        output: {},
        before: measure,
        after: measure,
        timeMs: 1,
      },
    ] as const;
    const list = async () => [{ id: "ses_1", startedAt: "", updatedAt: "", model: "m", prompt: "", events: 2 }];
    const { rereads } = await withSessions([own], { list, read: async () => events });
    expect([...rereads]).toEqual([[own, 225]]);
  });

  it("checks every artifact step by step, and removes nothing unless told", async () => {
    const response = await fetch(`${base}/api/v1/verify`, { method: "POST", headers });
    const text = await response.text();
    expect(text).toContain(`data: {"done":1,"total":1,"id":"${id}"}`);
    expect((await fetch(`${base}/api/v1/clean`, { method: "POST", headers })).status).toBe(403);
    const dry = await fetch(`${base}/api/v1/clean?dry_run=1`, { method: "POST", headers });
    expect(await dry.json()).toEqual({ dryRun: true, removed: [], freedBytes: 0 });
    expect((await fetch(`${base}/api/v1/clean`, { headers })).status).toBe(405);
  });

  it("says what is not there", async () => {
    await expect(get("outputs/0mwie4h5g0000ui1q1y3jf")).rejects.toThrow("404");
    await expect(get("outputs/..%2f..%2fetc%2fpasswd")).rejects.toThrow("404");
    await expect(get("nothing")).rejects.toThrow("404");
    await expect(get("sessions/ses_none")).rejects.toThrow("404");
    expect((await fetch(`${base}/assets/..%2f..%2fpackage.json`, { headers })).status).not.toBe(200);
  });

  it("tells of new outputs as they happen", async () => {
    const response = await fetch(`${base}/api/v1/feed`, { headers });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await spillway.govern(log, { tool: "later" });
    let text = "";
    while (!text.includes("\n\n")) text += new TextDecoder().decode((await reader.read()).value);
    expect(text).toMatch(/^event: output\ndata: \{.*"tool":"later"/);
    await reader.cancel();
  });

  it("shows a result that was bounded by items as its items", async () => {
    const value = { matches: Array.from({ length: 500 }, (_, line) => ({ file: "a.ts", line, text: `hit ${line}` })) };
    const governed = await spillway.govern({ value }, { tool: "grep_search" });
    if (governed.kind !== "bounded" || !("artifact" in governed.storage)) expect.unreachable();
    const preview = await get<PreviewAnswer>(`outputs/${governed.storage.artifact.id}/preview`);
    expect(preview.text).toBe(governed.preview.text);
    expect(preview.asShown).toBe(true);
  });

  it("shows artifacts that nothing recorded, and unfinished ones", async () => {
    const writer = await stores[0]!.store.create({ tool: "alone" });
    await writer.write(Buffer.from("one\ntwo\n"));
    await writer.finish({ complete: false, reason: "the disk is full" });
    const detail = await get<OutputDetail>(`outputs/${writer.id}`);
    expect(detail.row).toMatchObject({ tool: "alone", surface: "sdk", trouble: "the disk is full", lines: 2 });
    expect((await get<PreviewAnswer>(`outputs/${writer.id}/preview`)).text).toBe("one\ntwo\n");
  });

  it("passes over lines of the record that are none", async () => {
    writeFileSync(join(root, ".agents", "stats.jsonl"), 'torn {"before"\n{"before":1}\n', { flag: "a" });
    expect((await get<OutputList>("outputs")).total).toBeGreaterThan(0);
    expect(readFileSync(join(root, ".agents", "stats.jsonl"), "utf8")).toContain("torn");
  });
});
