import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { z } from "zod";
import { logText, randomNumbers } from "../log-text.mjs";
import { importBuilt, scratchFolder } from "../measure.mjs";
import { renderChart } from "./chart.mjs";

// A session of 200 turns with large results, replayed: how large does each request to the model get, with the gate as
// measured on the wire, and without it, when the history keeps every result whole?
const TURNS = Number(process.env.BENCH_TURNS ?? 200);
const CONTEXT_WINDOW = 128_000;
const OUTPUT_TOKENS = 8_192;
/** What the agent holds a request to: nine tenths of the window less the answer, at 3.6 characters a token. */
const BUDGET_BYTES = (CONTEXT_WINDOW * 0.9 - OUTPUT_TOKENS) * 3.6;
const KB = 1024;

const { createAgent, loadModel } = await importBuilt("agent");
const { defineTool } = await importBuilt("tools");

const random = randomNumbers(7);
// Most results are small, a tenth is large: what an agent at work sees of builds, tests, searches and pages.
const sizes = Array.from({ length: TURNS }, () => {
  const kind = random(10);
  return (kind < 6 ? 1 + random(8) : kind < 9 ? 10 + random(90) : 200 + random(1_800)) * KB;
});

const outputTool = defineTool({
  name: "Output",
  description: "Gives the output of a recorded call.",
  parameters: z.object({ turn: z.number() }),
  readOnly: true,
  execute: async ({ turn }, run) => run.success({ content: logText(sizes[turn], turn + 1) }, `Turn ${turn}.`),
});

const requests = [];
const server = createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const messages = JSON.parse(body.toString()).messages.map((message) => JSON.stringify(message));
  requests.push({ bytes: body.length, messages });
  const turn = requests.length - 1;
  const last = turn === TURNS;
  const call = {
    index: 0,
    id: `call_${turn}`,
    type: "function",
    function: { name: "Output", arguments: `{"turn":${turn}}` },
  };
  const frame = (delta, finish_reason) =>
    `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(frame(last ? { content: "Done." } : { content: `Turn ${turn}.`, tool_calls: [call] }, null));
  response.end(`${frame({}, last ? "stop" : "tool_calls")}data: [DONE]\n\n`);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

const baseURL = `http://127.0.0.1:${server.address().port}/v1`;
const model = await loadModel("openai-compatible/replay", { baseURL, contextWindow: CONTEXT_WINDOW });
const agent = createAgent({
  model,
  root: scratchFolder("agent"),
  yes: true,
  tools: [outputTool],
  maxSteps: TURNS + 1,
  explore: false,
});
const started = performance.now();
const outcome = await agent.run("Replay the session.");
const elapsed = performance.now() - started;
server.close();
if (outcome.reason !== "done") throw new Error(`the replay ended with ${outcome.reason}: ${outcome.message}`);

const gated = requests.map((request) => request.bytes);
const fixed = gated[0];
let history = fixed;
const ungated = [
  fixed,
  ...sizes.map((_, turn) => (history += JSON.stringify(logText(sizes[turn], turn + 1)).length + 300)),
];
const broken = requests
  .slice(1)
  .filter(({ messages }, index) => requests[index].messages.some((one, at) => one !== messages[at]));
const overWindow = ungated.findIndex((bytes) => bytes > CONTEXT_WINDOW * 3.6);
const largest = Math.max(...gated);

const megabytes = (bytes) => `${(bytes / KB ** 2).toFixed(2)} MB`;
console.log(`${TURNS} turns, results of ${megabytes(Math.min(...sizes))} to ${megabytes(Math.max(...sizes))}, window ${CONTEXT_WINDOW} tokens
largest request with the gate:     ${megabytes(largest)} (budget ${megabytes(BUDGET_BYTES)})
last request without the gate:     ${megabytes(ungated.at(-1))}; over the window from turn ${overWindow} on
sent in all, with / without:       ${megabytes(sum(gated))} / ${megabytes(sum(ungated))} (ratio ${(sum(gated) / sum(ungated)).toFixed(4)})
requests that keep the prefix:     ${TURNS - broken.length} of ${TURNS}
time per turn, tool and server in: ${(elapsed / TURNS).toFixed(1)} ms`);

const chart = renderChart({
  title: `Request size over ${TURNS} turns`,
  series: [
    { label: "without the gate", color: "#c0392b", values: ungated },
    { label: "with the gate", color: "#1f6fb2", values: gated },
  ],
  line: { label: `budget of a ${CONTEXT_WINDOW.toLocaleString("en-US")}-token window`, value: BUDGET_BYTES },
});
writeFileSync(new URL("../../docs/request-size.svg", import.meta.url), chart);
// JSON inside JSON doubles the backslashes of what the estimate counts once.
if (largest > BUDGET_BYTES * 1.1)
  throw new Error(`a request of ${largest} bytes is above the budget of ${BUDGET_BYTES}`);

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
