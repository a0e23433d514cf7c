// An MCP server over stdio with one tool, read_log, that answers with a 3 MB build log. Speaks only what the agents ask for.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const PRINT = fileURLToPath(new URL("print.mjs", import.meta.url));
const TOOL = {
  name: "read_log",
  description: "Reads the log of the last build.",
  inputSchema: { type: "object", properties: {} },
  annotations: { readOnlyHint: true },
};

const ANSWERS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "logs", version: "1.0.0" },
  }),
  ping: () => ({}),
  "tools/list": () => ({ tools: [TOOL] }),
  "tools/call": () => {
    // So that a test can tell whether it was called at all.
    writeFileSync("server-called", "");
    const text = execFileSync(process.execPath, [PRINT, "build"], { maxBuffer: 1 << 24, encoding: "utf8" });
    return { content: [{ type: "text", text }] };
  },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = ANSWERS[method];
  const said = answer ? { result: answer(params ?? {}) } : { error: { code: -32601, message: `no ${method} here` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...said })}\n`);
});
