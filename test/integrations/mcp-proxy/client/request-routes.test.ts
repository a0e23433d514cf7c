import { expect, test } from "vitest";
import { RequestRoutes } from "../../../../src/integrations/mcp-proxy/client/serve-http.ts";
import type { RpcMessage } from "../../../../src/integrations/mcp-shared/json-rpc.ts";

const message = (fields: object) => ({ jsonrpc: "2.0", ...fields }) as RpcMessage;
const call = (id: number, progressToken?: string) =>
  message({ id, method: "tools/call", params: { _meta: { progressToken } } });
const question = message({ id: "q", method: "roots/list" });

test("a question goes to the call opened last that still waits", () => {
  const routes = new RequestRoutes();
  expect(routes.optionsFor(question)).toEqual({});
  for (const id of [1, 2, 3]) routes.note(call(id));
  expect(routes.optionsFor(question)).toEqual({ relatedRequestId: 3 });
  routes.optionsFor(message({ id: 3, result: {} }));
  expect(routes.optionsFor(question)).toEqual({ relatedRequestId: 2 });
  routes.note(message({ method: "notifications/cancelled", params: { requestId: 2 } }));
  expect(routes.optionsFor(question)).toEqual({ relatedRequestId: 1 });
});

test("progress goes to its call, changed lists to nobody", () => {
  const routes = new RequestRoutes();
  routes.note(call(1, "one"));
  routes.note(call(2, "two"));
  const progress = message({ method: "notifications/progress", params: { progressToken: "one", progress: 1 } });
  expect(routes.optionsFor(progress)).toEqual({ relatedRequestId: 1 });
  expect(routes.optionsFor(message({ method: "notifications/tools/list_changed" }))).toEqual({});
});
