import { expect, test } from "vitest";
import { createMemoryStore } from "../../../src/artifacts/memory-store.ts";
import type { ArtifactStore } from "../../../src/artifacts/types.ts";
import { startProxy } from "../../../src/integrations/mcp-proxy/start-proxy.ts";
import { temporaryRoot } from "../../support/mcp-peers.ts";

const SERVER = `
  const lines = require("readline").createInterface({ input: process.stdin });
  const send = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
  const text = { large: "row of a log\\n".repeat(80_000), small: "answer" };
  lines.on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (method === "initialize") send(id, { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } });
    else if (method === "tools/call") send(id, { content: [{ type: "text", text: text[params.name] }] });
    else if (id !== undefined) send(id, {});
  });
  lines.on("close", () => process.exit(0));`;

/** A store that saves nothing until `opened` resolves; it tells when it is first asked to. */
function slowStore(opened: Promise<void>, asked: () => void): ArtifactStore {
  const store = createMemoryStore();
  return new Proxy(store, {
    get(target, name) {
      if (name !== "create") {
        const value = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      }
      return async (request: Parameters<ArtifactStore["create"]>[0]) => {
        asked();
        await opened;
        return target.create(request);
      };
    },
  });
}

test("an answer passes while a large one before it is redacted, bounded and saved", async () => {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let ask = () => {};
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const proxy = await startProxy({
    root: temporaryRoot(),
    upstream: { command: process.execPath, args: ["-e", SERVER] },
    listen: { host: "127.0.0.1", port: 0, token: false },
    store: slowStore(opened, () => ask()),
    redact: true,
    report: () => {},
  });
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const post = (id: number, method: string, params: object, session?: string) =>
    fetch(proxy.url!, {
      method: "POST",
      headers: session === undefined ? headers : { ...headers, "mcp-session-id": session },
      body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
    });
  try {
    const first = await post(1, "initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "c", version: "1" },
    });
    const session = first.headers.get("mcp-session-id")!;
    await first.text();
    const large = post(2, "tools/call", { name: "large", arguments: {} }, session).then((answer) => answer.text());
    await asked;
    const small = post(3, "tools/call", { name: "small", arguments: {} }, session).then((answer) => answer.text());
    const waited = new Promise<string>((resolve) => setTimeout(resolve, 3000, "no reply"));
    expect(await Promise.race([small, waited])).toContain('"text":"answer"');
    open();
    expect(await large).toContain("spillway/truncation");
  } finally {
    open();
    await proxy.close();
  }
}, 30_000);
