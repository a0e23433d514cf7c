// What a program of a user does with the package, in whatever runs it: `program.mjs FOLDER`, or the same compiled.
// Prints a line of JSON: each part's name, and "ok" or what went wrong.
import { spawn } from "node:child_process";
import { Readable } from "node:stream";
import { createSpillway, renderMessage } from "spillway";
import { boundTools } from "spillway/ai-sdk";
import { grepFile } from "spillway/artifacts";
import { preview } from "spillway/preview";

const root = process.argv.at(-1);
const spillway = createSpillway({ root, maxBytes: 8000 });
const row = (at) => (at === 31_000 ? "ERROR disk 7 is full" : `row ${at} was copied`);
const rows = Array.from({ length: 60_000 }, (_, at) => `${row(at)}\n`);
const text = rows.join("");
const results = {};

function check(holds, what) {
  if (!holds) throw new Error(what);
}

function isBounded(result, bytes = text.length) {
  check(result.kind === "bounded", `kind is ${result.kind}`);
  const message = renderMessage(result);
  check(Buffer.byteLength(message) < 9500, `${Buffer.byteLength(message)} bytes`);
  check(message.includes("ERROR disk 7 is full"), "the error is not shown");
  check(message.includes(bytes.toLocaleString("en-US")), `the size is not told: ${message.slice(-600)}`);
}

async function part(name, run) {
  try {
    await run();
    results[name] = "ok";
  } catch (error) {
    results[name] = String(error?.stack ?? error);
  }
}

const node = [
  "-e",
  `for (let at = 0; at < 60000; at++) console.log(at === 31000 ? "ERROR disk 7 is full" : "row " + at + " was copied")`,
];

await part("preview", () => {
  const { text: shown } = preview(text, { strategy: "smart", maxBytes: 4000 });
  check(shown.includes("ERROR disk 7 is full") && shown.length < 5000, shown.slice(0, 400));
});
await part("govern a string", async () => isBounded(await spillway.govern(text)));
await part("govern a stream of Node's", async () => isBounded(await spillway.govern(Readable.from(rows))));
await part("govern a stream of the web's", async () => {
  const chunks = Buffer.from(text);
  let at = 0;
  const stream = new ReadableStream({
    pull(controller) {
      if (at >= chunks.length) return controller.close();
      controller.enqueue(new Uint8Array(chunks.subarray(at, at + 40_000)));
      at += 40_000;
    },
  });
  isBounded(await spillway.govern(stream));
});
await part("govern 60 MB", async () => {
  async function* much() {
    for (let at = 0; at < 30; at++) yield Buffer.from(text);
  }
  isBounded(await spillway.govern(much()), text.length * 30);
});
await part("exec a program", async () => isBounded(await spillway.exec("node", node)));
await part("exec a line", async () => {
  const result = await spillway.exec("echo out; echo err >&2; exit 3");
  const message = renderMessage(result);
  check(result.exitCode === 3 && /out/.test(message) && /err/.test(message), `${result.exitCode}: ${message}`);
});
await part("exec what does not exist", async () => {
  const { outcome, exitCode } = await spillway.exec("no-such-program-here", []);
  check(outcome.kind === "failure" && exitCode === 127, JSON.stringify(outcome));
});
await part("end what takes too long", async () => {
  const { outcome } = await spillway.exec("sleep 98 & sleep 99", { timeoutMs: 300 });
  check(outcome.kind === "timeout", JSON.stringify(outcome));
});
await part("governProcess", async () => {
  isBounded(await spillway.governProcess(spawn("node", node)));
});
await part("read it again", async () => {
  const result = await spillway.govern(text);
  const { matches } = await grepFile(result.storage.artifact.path, "ERROR");
  check(matches.length === 1 && matches[0].line === 31_001, JSON.stringify(matches));
});
await part("a tool of the AI SDK", async () => {
  const tools = boundTools({ log: { inputSchema: {}, execute: async () => text } }, { spillway });
  const answer = await tools.log.execute({}, { toolCallId: "1", messages: [] });
  const sent = await tools.log.toModelOutput({ toolCallId: "1", output: answer, input: {} });
  const shown = JSON.stringify(sent);
  check(shown.includes("ERROR disk 7 is full") && shown.length < 12_000, shown.slice(0, 400));
});
await spillway.flush();
console.log(JSON.stringify(results));
