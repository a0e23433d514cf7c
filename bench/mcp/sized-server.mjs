// A server with one tool that answers with a text of the size and kind asked for.
import { createInterface } from "node:readline";

const LOG_LINE = "2026-11-15T10:00:00Z INFO worker handled request 1234 in 12 ms\n";
const ROW = '{"id":1234,"name":"worker","state":"done","path":"/var/lib/worker/1234","tags":["a","b"]},\n';
const MAKERS = {
  log: (bytes) => repeat(LOG_LINE, bytes),
  json: (bytes) => `[\n${repeat(ROW, bytes - ROW.length - 2)}${ROW.slice(0, -2)}\n]`,
  line: (bytes) => repeat("handled request 1234 in 12 ms, ", bytes),
};
const repeat = (text, bytes) => text.repeat(Math.max(1, Math.ceil(bytes / text.length)));

const prepared = new Map();
const answerOf = ({ bytes, kind = "log" }) => {
  const key = `${kind} ${bytes}`;
  if (!prepared.has(key))
    prepared.set(key, JSON.stringify(MAKERS[kind](bytes).slice(0, kind === "json" ? undefined : bytes)));
  return prepared.get(key);
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
  } else if (method === "tools/call") send(id, `{"content":[{"type":"text","text":${answerOf(params.arguments)}}]}`);
  else if (method === "tools/list") send(id, '{"tools":[{"name":"text","inputSchema":{"type":"object"}}]}');
  else if (id !== undefined) send(id, "{}");
});
