// Stands in for a provider: answers chat completions on loopback by a script, so that an example needs no key.
import { createServer } from "node:http";

/** `script(request)` gets the parsed request and returns `{ text }` or `{ calls: [{ name, input }] }`. */
export async function startScriptedModel(script) {
  let count = 0;
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { text, calls = [] } = script(JSON.parse(Buffer.concat(chunks).toString()));
    const delta = {
      role: "assistant",
      ...(text === undefined ? {} : { content: text }),
      tool_calls: calls.map(({ name, input }, index) => {
        return { index, id: `call_${++count}`, type: "function", function: { name, arguments: JSON.stringify(input) } };
      }),
    };
    const chunk = { id: "1", object: "chat.completion.chunk", created: 1, model: "scripted" };
    const send = (fields) => response.write(`data: ${JSON.stringify({ ...chunk, ...fields })}\n\n`);
    response.writeHead(200, { "content-type": "text/event-stream" });
    send({ choices: [{ index: 0, delta, finish_reason: null }] });
    send({ choices: [{ index: 0, delta: {}, finish_reason: calls.length > 0 ? "tool_calls" : "stop" }] });
    response.end("data: [DONE]\n\n");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/v1`, close: () => server.close() };
}
