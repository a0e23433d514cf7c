// A server with one tool that answers with a text of the size asked for.
import { createInterface } from "node:readline";

const line = "2026-11-15T10:00:00Z INFO worker handled request 1234 in 12 ms\n";
const prepared = new Map();
const answerOf = (bytes) => {
  if (!prepared.has(bytes))
    prepared.set(bytes, JSON.stringify(line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes)));
  return prepared.get(bytes);
};
const send = (id, result) => process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}\n`);

createInterface({ input: process.stdin }).on("line", (text) => {
  const { id, method, params } = JSON.parse(text);
  if (method === "initialize") {
    const { protocolVersion } = params;
    send(
      id,
      JSON.stringify({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "sized", version: "1.0.0" } }),
    );
  } else if (method === "tools/call")
    send(id, `{"content":[{"type":"text","text":${answerOf(params.arguments.bytes)}}]}`);
  else if (method === "tools/list") send(id, '{"tools":[{"name":"text","inputSchema":{"type":"object"}}]}');
  else if (id !== undefined) send(id, "{}");
});
