import { expect, test } from "vitest";
import { PendingRequests } from "../../../../src/integrations/mcp-proxy/session/pending-requests.ts";

const request = (id: string | number, method: string, params = {}) => ({ jsonrpc: "2.0" as const, id, method, params });

test("a request waits until it is taken, oldest first", () => {
  const pending = new PendingRequests();
  pending.add(request(1, "tools/call", { name: "grep" }));
  pending.add(request("b", "prompts/list"));
  expect(pending.all().map(({ upstreamId, tool, bounded }) => [upstreamId, tool, bounded])).toEqual([
    [1, "grep", true],
    ["b", "prompts/list", false],
  ]);
  expect(pending.take(1)).toMatchObject({ clientId: 1, method: "tools/call" });
  expect(pending.take(1)).toBeUndefined();
  expect(pending.get(1)).toBeUndefined();
  expect(pending.all().length).toBe(1);
});

test("a request that the upstream knows by another id still goes to the client's", () => {
  const pending = new PendingRequests();
  pending.add(request(1, "tools/call", { name: "grep" }));
  pending.rekey(1, "retry-1");
  expect(pending.get(1)).toBeUndefined();
  expect(pending.get("retry-1")).toMatchObject({ upstreamId: "retry-1", clientId: 1 });
  expect(pending.findByClientId(1)?.upstreamId).toBe("retry-1");
  pending.rekey("unknown", "other");
  expect(pending.all().length).toBe(1);
});

test("an answer can go to a later request of the client, which then waits no more by itself", () => {
  const pending = new PendingRequests();
  pending.add(request(1, "tools/call", { name: "ask" }));
  pending.add(request(2, "tools/call", { name: "ask" }));
  pending.answerAs(1, 2);
  expect(pending.all()).toEqual([{ upstreamId: 1, clientId: 2, method: "tools/call", tool: "ask", bounded: true }]);
  pending.answerAs(1, 1);
  expect(pending.findByClientId(1)?.upstreamId).toBe(1);
});

test("the result of a task is the result of the tool that it runs", () => {
  const pending = new PendingRequests();
  pending.noteTask("build", { task: { taskId: "t1" } });
  pending.noteTask("build", { content: [] });
  pending.add(request(1, "tasks/result", { taskId: "t1" }));
  pending.add(request(2, "tasks/result", { taskId: "t2" }));
  expect(pending.all().map(({ tool, bounded }) => [tool, bounded])).toEqual([
    ["build", true],
    ["tasks/result", true],
  ]);
});

test("what may be answered next: every request, with its call where the answer is bounded", () => {
  const pending = new PendingRequests();
  pending.add(request(1, "tools/call", { name: "grep" }));
  pending.add(request(2, "resources/read", { uri: "a:b" }));
  pending.rekey(1, "r");
  expect(pending.expected()).toEqual([
    { id: 2, call: undefined },
    { id: "r", call: { tool: "grep", callId: "1" } },
  ]);
});
