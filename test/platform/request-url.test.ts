import { once } from "node:events";
import { request } from "node:http";
import { expect, test } from "vitest";
import { createFileSessions } from "../../src/agent/file-sessions.ts";
import { listenForCallback } from "../../src/integrations/mcp-proxy/oauth/log-in.ts";
import { listen } from "../../src/integrations/mcp-shared/http-listener.ts";
import { startUi } from "../../src/ui/start-ui.ts";
import { temporaryFolder } from "../support/folder.ts";

async function statusOf(address: string, path: string): Promise<number | undefined> {
  const { hostname, port } = new URL(address);
  const [answer] = await once(request({ hostname, port, path }).end(), "response");
  answer.resume();
  return answer.statusCode;
}

const SERVERS: readonly [name: string, start: () => Promise<{ address: string; close: () => Promise<void> }>][] = [
  [
    "the inspector",
    async () => {
      const root = temporaryFolder("request-url");
      const files = createFileSessions(root);
      const sessions = { list: async () => [], read: (id: string) => files.read(id) };
      const ui = await startUi({ root, stores: [], rules: { retentionDays: 7, quotaBytes: undefined }, sessions });
      return { address: ui.url, close: () => ui.close() };
    },
  ],
  [
    "a server for MCP",
    async () => {
      const server = await listen({ host: "127.0.0.1", port: 0, token: "sixteen-or-more-x" }, async () => undefined);
      return { address: server.url, close: () => server.close() };
    },
  ],
  [
    "the end of a login",
    async () => {
      const callback = await listenForCallback("state");
      return { address: callback.redirectUrl, close: () => callback.close() };
    },
  ],
];

test.each(SERVERS)("%s answers what is no address, and lives on", async (_, start) => {
  const { address, close } = await start();
  for (const path of ["//", "///", "//:80", "/\\\\", "http://[", "*"])
    expect([401, 404]).toContain(await statusOf(address, path));
  await close();
});
