// A server of 2026-07-28 only, made with the official SDK. With --http it listens and prints its address.
import { createServer } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { acceptedContent, createMcpHandler, inputRequired, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

function create() {
  const server = new McpServer(
    { name: "modern", version: "1.0.0" },
    { capabilities: { tools: { listChanged: true }, logging: {} } },
  );
  server.registerTool("lines", { inputSchema: z.object({ count: z.number() }) }, ({ count }) => ({
    content: [
      { type: "text", text: Array.from({ length: count }, (_, index) => `line ${index + 1} of the output`).join("\n") },
    ],
  }));
  server.registerTool("progress", { inputSchema: z.object({}) }, async (_, context) => {
    const token = context.mcpReq._meta?.progressToken;
    if (token !== undefined)
      await context.mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken: token, progress: 1, total: 2 },
      });
    // The client forgets its progress handler as soon as the answer is there.
    await new Promise((resolve) => setTimeout(resolve, 50));
    return { content: [{ type: "text", text: "done" }] };
  });
  server.registerTool("ask", { inputSchema: z.object({}) }, (_, context) => {
    const answer = acceptedContent(context.mcpReq.inputResponses, "name");
    if (answer) return { content: [{ type: "text", text: `hello ${answer.name}` }] };
    return inputRequired({
      inputRequests: {
        name: inputRequired.elicit({
          message: "Your name?",
          requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
        }),
      },
    });
  });
  return server;
}

if (process.argv.includes("--http")) {
  const handler = createMcpHandler(create, { legacy: "reject" });
  const server = createServer(toNodeHandler(handler));
  server.listen(0, "127.0.0.1", () => process.stdout.write(`http://127.0.0.1:${server.address().port}/mcp\n`));
} else serveStdio(create, { legacy: "reject" });
