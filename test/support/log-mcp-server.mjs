/** An MCP server whose tool prints a text of code, whatever it is asked, and says that it failed if told to. */
import { createInterface } from "node:readline";

const answer = (id, result) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
const METHODS = {
  initialize: () => ({
    protocolVersion: "2025-11-25",
    capabilities: { tools: {} },
    serverInfo: { name: "log", version: "1" },
  }),
  "tools/list": () => ({ tools: [{ name: "log", inputSchema: { type: "object" } }] }),
  "tools/call": ({ arguments: { count, fail } }) => {
    const rows = Array.from(
      { length: count },
      (_, at) => `export function f${at}(a: number) {\n  return a + ${at};\n}\n`,
    );
    rows.splice(count / 3, 0, "Error: cannot open the vault\n");
    return { content: [{ type: "text", text: rows.join("") }], ...(fail ? { isError: true } : {}) };
  },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) answer(id, METHODS[method]?.(params ?? {}) ?? {});
});
