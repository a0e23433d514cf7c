import { expect, test } from "vitest";
import { proxyArgs, RawPeer, support, temporaryRoot } from "../../support/mcp-peers.ts";

/** A result in memory, and one that goes through the thread for large messages. */
const SIZES = [3000, 60_000];

test.each(SIZES)("the proxy shows what the call asked for, and why it failed, of %i functions", async (count) => {
  const peer = new RawPeer(await proxyArgs(temporaryRoot(), [support("log-mcp-server.mjs")]));
  await peer.initialize();
  const shows = async (searched: string, args: object, meta?: Record<string, unknown>) => {
    const { result } = await peer.call("log", { count, ...args }, meta);
    return JSON.stringify((result as { content: unknown }).content).includes(searched);
  };
  const asked = "function f1234(";
  expect(await shows(asked, {})).toBe(false);
  for (const args of [
    { query: "f1234" },
    { command: "grep f1234 src" },
    { command: "cat all.ts", description: "Find f1234" },
    { name: "tool", arguments: { names: ["f1234"] } },
  ])
    expect(await shows(asked, args), JSON.stringify(args)).toBe(true);
  expect(await shows(asked, {}, { "spillway/query": { task: "What does f1234 return?" } })).toBe(true);
  expect(await shows(asked, { password: "f1234" })).toBe(false);
  expect(await shows("cannot open the vault", {})).toBe(false);
  expect(await shows("cannot open the vault", { fail: true })).toBe(true);
  await peer.close();
});
