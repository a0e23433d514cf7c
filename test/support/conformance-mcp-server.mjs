// What the conformance suite asks a server for, over stdio. Without an SDK it starts at once, which matters because every
// scenario opens a session of its own.
import { createInterface } from "node:readline";
import { METHODS } from "./conformance-tables.mjs";

const waiting = new Map();
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const notify = (method, params) => send({ method, params });

function ask(method, params) {
  const id = `ask-${waiting.size + 1}`;
  send({ id, method, params });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

createInterface({ input: process.stdin }).on("line", async (line) => {
  const { id, method, params = {}, result, error } = JSON.parse(line);
  if (method === undefined) {
    if (error) waiting.get(id)?.reject(new Error(error.message));
    else waiting.get(id)?.resolve(result);
  } else if (id !== undefined) {
    if (METHODS[method]) send({ id, result: await METHODS[method](params, { ask, notify }) });
    else send({ id, error: { code: -32601, message: "Method not found" } });
  }
});
