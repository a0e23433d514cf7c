// The client that the conformance suite drives: it talks to the proxy over stdio, and the proxy to the suite's server.
// Called as: node conformance-mcp-client.mjs SPILLWAY_BIN ROOT URL
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const [bin, root, url] = process.argv.slice(2);
const client = new Client(
  { name: "behind-the-proxy", version: "1.0.0" },
  { capabilities: { elicitation: { form: { applyDefaults: true } } } },
);
client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: {} }));
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [bin, "proxy", "--root", root, "--no-readers", "--url", url],
  }),
);
const { tools } = await client.listTools();
for (const { name } of tools) await client.callTool({ name, arguments: { a: 5, b: 3 } });
await client.close();
