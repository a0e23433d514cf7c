/** An MCP server whose tool answers with the `_meta` of its call and the trace context of its environment. */
import { createInterface } from "node:readline";

const answer = (id, result) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
const text = (content) => ({ content: [{ type: "text", text: content }] });
const METHODS = {
  initialize: () => ({
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "meta", version: "1" },
  }),
  "tools/list": () => ({ tools: [{ name: "meta", inputSchema: { type: "object" } }] }),
  "tools/call": ({ _meta = null, arguments: given = {} }) => ({
    ...text(given.lines ? "a line\n".repeat(given.lines) : JSON.stringify({ meta: _meta })),
    ...(given.fail ? { isError: true } : {}),
  }),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) answer(id, METHODS[method]?.(params ?? {}) ?? {});
});
