import { expect, test } from "vitest";
import { ParkingPort } from "../../../../src/integrations/mcp-proxy/client/client-port.ts";
import { createError, createResult, type RpcMessage } from "../../../../src/integrations/mcp-shared/json-rpc.ts";

function openPort() {
  const sent: RpcMessage[] = [];
  const port = new ParkingPort({
    send: ({ message }) => void sent.push(message),
    sendLarge: async () => {},
  });
  return { port, sent };
}

const question = { resultType: "input_required" };

test("the answer to a parked request waits for the id that the client goes on with", () => {
  const { port, sent } = openPort();
  port.park(1, question);
  port.send({ message: createResult(1, { content: [] }) });
  port.send({ message: { jsonrpc: "2.0", id: 1, method: "ping" } });
  expect(sent).toEqual([createResult(1, question), { jsonrpc: "2.0", id: 1, method: "ping" }]);
  port.resume(1, 2);
  expect(sent.slice(2)).toEqual([createResult(2, { content: [] })]);
});

test("an answer that is still to come goes its usual way", () => {
  const { port, sent } = openPort();
  port.park(1, question);
  port.resume(1, 2);
  port.send({ message: createResult(2, {}) });
  expect(sent.slice(1)).toEqual([createResult(2, {})]);
});

test("a request can be parked again before it goes on, and keeps its first answer", () => {
  const { port, sent } = openPort();
  port.park(1, question);
  port.send({ message: createResult(1, { first: true }) });
  port.send({ message: createError(1, -1, "too late") });
  port.park(2, question);
  port.resume(1, 2);
  expect(sent).toHaveLength(2);
  port.resume(2, 3);
  expect(sent.slice(2)).toEqual([createResult(3, { first: true })]);
});
