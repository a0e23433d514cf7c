import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { createSpillway } from "../../../dist/index.mjs";
import { createRandom, filesBelow, isBeginning, numbered, startSpillway } from "../support.mjs";

export const fault = "kill -9 at any moment of run, pipe, proxy, agent and clean";

const LINES = 400_000;
const SERVER = `
  require("fs").appendFileSync(process.argv[1], process.pid + "\\n");
  const lines = require("readline").createInterface({ input: process.stdin });
  const send = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
  const text = Array.from({ length: ${LINES} }, (_, at) => at + 1).join("\\n") + "\\n";
  lines.on("line", (line) => {
    const { id, method } = JSON.parse(line);
    if (method === "initialize") send(id, { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } });
    else if (method === "tools/call") send(id, { content: [{ type: "text", text }] });
  });
  lines.on("close", () => process.exit(0));`;

/** What was saved before the end is how the output begins; nothing that was whole before is gone. */
export async function run({ long, folder, project }) {
  const random = createRandom(9);
  const expected = Buffer.from(Array.from({ length: LINES }, (_, at) => `${at + 1}\n`).join(""));
  const model = await startModel();
  const keep = createSpillway({ root: folder });
  const kept = await keep.govern(numbered(4000), { tool: "Kept" });
  const pids = join(folder, "servers");
  writeFileSync(pids, "");
  const starts = [
    () => startSpillway(project, ["run", "--root", folder, "--", "seq", "1", String(LINES)], { cwd: folder }),
    () => feed(startSpillway(project, ["pipe", "--root", folder], { cwd: folder }), [expected]),
    () =>
      feed(
        startSpillway(project, ["proxy", "--root", folder, "--", process.execPath, "-e", SERVER, pids], {
          cwd: folder,
        }),
        REQUESTS,
      ),
    () =>
      startSpillway(
        project,
        ["agent", "count", "--yes", "--root", folder, "--model", "openai-compatible/x", "--base-url", model.url],
        { cwd: folder },
      ),
    () => startSpillway(project, ["artifacts", "clean", "--root", folder], { cwd: folder }),
  ];
  const tries = long ? 200 : 50;
  for (let at = 0; at < tries; at++) {
    const { child, ended } = starts[at % starts.length]();
    const timer = setTimeout(() => child.kill("SIGKILL"), 150 + random() * 1000);
    await ended;
    clearTimeout(timer);
  }
  let [lostBytes, checked] = [0, 0];
  const leaked = await survivors(readFileSync(pids, "utf8").split("\n").filter(Boolean).map(Number));
  for (const file of filesBelow(join(folder, ".agents", "tool-output")).keys()) {
    if (!/tool_[^/]*\.txt$/.test(file) || file.includes(".meta") || file.includes("_Kept_")) continue;
    const saved = readFileSync(file);
    checked++;
    if (!isBeginning(saved, expected)) lostBytes += saved.length;
  }
  if (!(await keep.store.verify(kept.storage.artifact.id)).ok) lostBytes += kept.size.bytes;
  const sessions = await startSpillway(project, ["sessions", "list", "--json", "--root", folder], { cwd: folder })
    .ended;
  for (const session of JSON.parse(sessions.out.toString()))
    if ("damaged" in session) leaked.push(`session ${session.id}: ${session.damaged.problem}`);
  const again = await startSpillway(project, ["run", "--json", "--root", folder, "--", "seq", "1", String(LINES)], {
    cwd: folder,
  }).ended;
  if (!readFileSync(JSON.parse(again.out.toString()).artifact_path).equals(expected)) lostBytes += expected.length;
  model.close();
  if (checked === 0) throw new Error("nothing was saved, so nothing was tried");
  return {
    tries,
    lostBytes,
    leaks: leaked.length,
    note:
      leaked.join("; ") ||
      `${checked} cut artifacts, each the output's beginning; sessions stay readable; no server outlives`,
  };
}

const REQUESTS = [
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}\n',
  '{"jsonrpc":"2.0","method":"notifications/initialized"}\n',
  '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"count","arguments":{}}}\n',
];

function feed(started, parts) {
  for (const part of parts) started.child.stdin.write(part);
  return started;
}

/** Asks for one command and then for no more. */
async function startModel() {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const asked = body.includes('"role":"tool"');
      const call = {
        index: 0,
        id: "c1",
        type: "function",
        function: { name: "Bash", arguments: JSON.stringify({ command: `seq 1 ${LINES}` }) },
      };
      const delta = asked ? { role: "assistant", content: "done" } : { role: "assistant", tool_calls: [call] };
      const base = { id: "x", object: "chat.completion.chunk", created: 1, model: "x" };
      for (const choice of [
        { index: 0, delta },
        { index: 0, delta: {}, finish_reason: asked ? "stop" : "tool_calls" },
      ])
        response.write(`data: ${JSON.stringify({ ...base, choices: [choice] })}\n\n`);
      response.end("data: [DONE]\n\n");
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

/** What is left of processes that must end by themselves, once no more of them do. */
async function survivors(all) {
  const patienceMs = 30_000;
  for (const until = performance.now() + patienceMs; ; ) {
    const alive = all.filter(isAlive);
    if (alive.length === 0 || performance.now() > until) return alive.map((pid) => `server ${pid} is still there`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
