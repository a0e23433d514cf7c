import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { createProxyGate } from "../../../../src/integrations/mcp-proxy/proxy-gate.ts";
import { createInlineSpool } from "../../../../src/integrations/mcp-proxy/spool/inline-spool.ts";
import type { ExpectedCall, LargeArrival, LargeMessage } from "../../../../src/integrations/mcp-proxy/spool/spool.ts";
import { temporaryRoot } from "../../../support/mcp-peers.ts";

const CALL: ExpectedCall = { id: 7, tool: "logs", callId: "7" };
const REQUEST = { tool: "logs", callId: "7", links: true };
const LINES = Array.from({ length: 60_000 }, (_, index) => `line ${index} of "the" log\tä\\\n`).join("");

const sha256 = (data: string | Buffer): string => createHash("sha256").update(data).digest("hex");

function openSpool() {
  const root = temporaryRoot();
  const spillway = createProxyGate({ root, config: false, env: {} });
  const spool = createInlineSpool(spillway, { folder: temporaryRoot(), maxMessageBytes: 1e9 });
  const texts = (): string[] => {
    const folder = join(root, ".agents", "tool-output");
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".txt"));
    // Hashes: a difference of megabytes says nothing.
    return names.map((name) => sha256(readFileSync(join(folder, name))));
  };
  /** Sends a message in chunks; `halfway` runs when most of it is there. */
  const arrive = async (message: unknown, expected: readonly ExpectedCall[], halfway = async () => {}) => {
    const bytes = Buffer.from(JSON.stringify(message));
    const most = bytes.length - 100_000;
    const { promise, arrived } = nextArrival();
    const line = spool.open(arrived, expected);
    for (let at = 0; at < most; at += 65_536) await line.write(bytes.subarray(at, Math.min(most, at + 65_536)));
    await halfway();
    await line.write(bytes.subarray(most));
    line.end();
    return promise;
  };
  return { spillway, texts, arrive };
}

function nextArrival(): { promise: Promise<LargeMessage>; arrived: (arrival: LargeArrival) => void } {
  let arrived: (arrival: LargeArrival) => void = () => {};
  const promise = new Promise<LargeMessage>((resolve, reject) => {
    arrived = (arrival) =>
      arrival.kind === "message" ? resolve(arrival.message) : reject(new Error(`a message came as ${arrival.kind}`));
  });
  return { promise, arrived };
}

const answer = (...texts: readonly string[]) => ({
  result: { content: texts.map((text) => ({ type: "text", text })) },
  jsonrpc: "2.0",
  id: 7,
});

test("a long text is saved while the rest of its message still comes, and once", async () => {
  const { spillway, texts, arrive } = openSpool();
  const begun = (): Promise<void> =>
    vi.waitFor(() => expect(readdirSync(join(spillway.root, ".agents"))).toContain("tool-output"), 20_000);
  const message = await arrive(answer(LINES), [CALL], begun);
  const { artifacts } = await message.bound(REQUEST);
  await message.discard();
  expect(artifacts).toHaveLength(1);
  expect(texts()).toEqual([sha256(LINES)]);
  expect(spillway.stats().logs).toMatchObject({ calls: 1, truncated: 1 });
});

test.each([
  ["it was another call's", answer(LINES), [CALL], { ...REQUEST, tool: "other" }],
  ["there are more texts that share the limit", answer(LINES, LINES), [CALL], REQUEST],
  ["nobody could know whose it is", answer(LINES), [CALL, { ...CALL, id: 8 }], REQUEST],
])("what was begun in vain leaves nothing: %s", async (_why, message, expected, request) => {
  const { spillway, texts, arrive } = openSpool();
  const large = await arrive(message, expected);
  const { artifacts } = await large.bound(request);
  await large.discard();
  expect(texts()).toEqual(message.result.content.map(() => sha256(LINES)));
  expect(artifacts).toHaveLength(message.result.content.length);
  expect(spillway.stats()[request.tool]).toMatchObject({ truncated: message.result.content.length });
});

test("a message that nobody asked for leaves nothing of what was begun", async () => {
  const { spillway, texts, arrive } = openSpool();
  const large = await arrive(answer(LINES), [CALL]);
  await large.discard();
  expect(texts()).toEqual([]);
  expect(spillway.stats()).toEqual({});
});
