// A server of JSON lines for tests with several: node one-of-many-mcp-server.mjs NAME [STARTS-FILE]
// Tools: where, ask (sampling), slow (until cancelled), grow (one more tool), fail (exits), big, leak.
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [name, starts] = process.argv.slice(2);
if (starts) appendFileSync(starts, `${name}\n`);
if (process.env.START_AFTER_MS) await new Promise((resolve) => setTimeout(resolve, Number(process.env.START_AFTER_MS)));
const tools = ["where", "ask", "slow", "grow", "fail", "big"];
let cancelled = "none";
let level = "none";
const asked = new Map();
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const say = (id, text) => send({ id, result: { content: [{ type: "text", text }] } });
const define = (tool) => ({ name: tool, description: `The tool ${tool} of ${name}`, inputSchema: { type: "object" } });

const TOOLS = {
  where: (id) => say(id, JSON.stringify({ name, cancelled, level, secret: process.env.SECRET ?? "" })),
  ask: (id) => {
    // The same id in every server: they know nothing of each other.
    asked.set(1, id);
    send({ id: 1, method: "sampling/createMessage", params: { messages: [], maxTokens: 1, systemPrompt: name } });
  },
  slow: (_, params) => {
    const progressToken = params._meta?.progressToken;
    if (progressToken !== undefined)
      send({ method: "notifications/progress", params: { progressToken, progress: 1, message: name } });
  },
  grow: (id) => {
    tools.push(`grown${tools.length}`);
    for (let time = 0; time < 3; time++) send({ method: "notifications/tools/list_changed" });
    say(id, "grown");
  },
  fail: () => process.exit(7),
  big: (id, { arguments: { lines } }) =>
    say(id, Array.from({ length: lines }, (_, line) => `line ${line} of ${name}`).join("\n")),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params = {}, result } = JSON.parse(line);
  if (method === undefined) {
    say(asked.get(id), `${name} was told ${result?.content?.text}`);
    return;
  }
  switch (method) {
    case "initialize":
      send({
        id,
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: { listChanged: true }, resources: {}, prompts: {}, logging: {} },
          serverInfo: { name, version: "1" },
          instructions: `Be kind to ${name}.`,
        },
      });
      break;
    case "tools/list":
      send({ id, result: { tools: tools.map(define) } });
      break;
    case "prompts/list":
      send({ id, result: { prompts: [{ name: "greet" }] } });
      break;
    case "prompts/get":
      send({ id, result: { messages: [{ role: "user", content: { type: "text", text: `${params.name} ${name}` } }] } });
      break;
    case "resources/list":
      send({
        id,
        result: {
          resources: [
            { uri: "test://same", name: "same" },
            { uri: `test://${name}`, name },
          ],
        },
      });
      break;
    case "resources/templates/list":
      send({ id, result: { resourceTemplates: [{ uriTemplate: `${name}://{any}`, name: "any" }] } });
      break;
    case "resources/read":
      send({ id, result: { contents: [{ uri: params.uri, text: `${params.uri} of ${name}` }] } });
      break;
    case "logging/setLevel":
      level = params.level;
      send({ id, result: {} });
      send({ method: "notifications/message", params: { level: "info", data: "heard" } });
      break;
    case "notifications/cancelled":
      cancelled = String(params.reason);
      break;
    case "tools/call":
      if (TOOLS[params.name]) TOOLS[params.name](id, params);
      else say(id, `${name} has ${params.name}`);
      break;
    default:
      if (id !== undefined) send({ id, error: { code: -32601, message: "Method not found" } });
  }
});
