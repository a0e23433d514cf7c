import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { OwnRequests } from "../../../../src/integrations/mcp-proxy/session/own-offer.ts";
import type { RpcMessage } from "../../../../src/integrations/mcp-shared/json-rpc.ts";

const HOUR_MS = 3_600_000;

function open() {
  const sent: RpcMessage[] = [];
  const own = new OwnRequests(async (message) => void sent.push(message));
  const answer = (method: string, outcome: Partial<RpcMessage>): void => {
    const id = sent.find((message) => message.method === method)?.id;
    own.settle({ jsonrpc: "2.0", id: id!, ...outcome });
  };
  return { sent, own, answer };
}

describe("a question that a server may leave unanswered", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("waits for a server that is slow to start", async () => {
    const { own, answer } = open();
    const found = own.probe("server/discover", {}, 3000);
    await vi.advanceTimersByTimeAsync(14_000);
    answer("server/discover", { result: { supportedVersions: [] } });
    expect(await found).toEqual({ supportedVersions: [] });
    answer("ping", { result: {} });
    await vi.advanceTimersByTimeAsync(HOUR_MS);
    expect(own.expected()).toEqual([]);
  });

  test.each([{ result: {} }, { error: { code: -32601, message: "no such method" } }])(
    "is given up some time after the server answered a ping with %o",
    async (outcome) => {
      const { own, answer } = open();
      const found = own.probe("server/discover", {}, 3000).catch((error: Error) => error.message);
      await vi.advanceTimersByTimeAsync(10_000);
      answer("ping", outcome);
      await vi.advanceTimersByTimeAsync(2_999);
      expect(own.expected().length).toBe(1);
      await vi.advanceTimersByTimeAsync(1);
      expect(await found).toBe("The server did not answer server/discover in 3000 ms");
      expect(own.expected()).toEqual([]);
    },
  );

  test("is given up by a server that answers nothing at all", async () => {
    const { own } = open();
    const found = own.probe("server/discover", {}, 3000).catch((error: Error) => error.message);
    await vi.advanceTimersByTimeAsync(18_000);
    expect(await found).toContain("did not answer");
  });

  test("fails at once when the server goes away", async () => {
    const { own } = open();
    const found = own.probe("server/discover", {}, 3000).catch((error: Error) => error.message);
    own.failAll("it ended");
    expect(await found).toBe("it ended");
    expect(vi.getTimerCount()).toBe(0);
  });
});
