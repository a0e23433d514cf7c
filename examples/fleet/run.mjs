// Two workers share a bucket and a database; one is killed in mid-turn, the other goes on and reads what the first saved.
// Needs SPILLWAY_STORE, SPILLWAY_SESSIONS and what reaches them (AWS_ENDPOINT_URL, AWS_ACCESS_KEY_ID, …); no containers.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startScriptedModel } from "../scripted-model.mjs";

const SPILLWAY = path.join(import.meta.dirname, "../../bin/spillway.mjs");
const env = { OPENAI_COMPATIBLE_API_KEY: "none", SPILLWAY_LEASE_SECONDS: "3", ...process.env };
assert.ok(env.SPILLWAY_STORE && env.SPILLWAY_SESSIONS, "set SPILLWAY_STORE=s3://… and SPILLWAY_SESSIONS=postgres://…");

// A model by script: it runs a noisy command, then one that takes long, then reads the middle of the first one's output.
const model = await startScriptedModel(({ messages }) => {
  const results = messages.filter(({ role }) => role === "tool").map(({ content }) => String(content));
  const address = /s3:\/\/[^\s"\\)]+\.txt/.exec(results.join("\n"))?.[0];
  if (results.length === 0) return { calls: [{ name: "Bash", input: { command: "seq 1000000 1200000" } }] };
  if (results.length === 1) return { calls: [{ name: "Bash", input: { command: "sleep 600" } }] };
  if (results.length === 2) return { calls: [{ name: "Read", input: { path: address, offset: 123_456, limit: 1 } }] };
  return { text: `Line 123456 is ${/1123455/.exec(results[2] ?? "")?.[0]}.` };
});
const agent = ["--yes", "--json", "--base-url", model.url];

await finish(start("init", ["store", "init"], process.cwd()));

const one = start(
  "one",
  ["agent", "What is in the middle?", "--model", "openai-compatible/scripted", ...agent],
  await folder(),
);
let session;
let calls = 0;
for await (const event of events(one)) {
  session ??= event.session;
  if (event.type === "tool.call") calls += 1;
  if (event.type === "tool.result") console.log(`worker one: ${event.tool} saved ${event.artifact?.path}`);
  if (calls === 2) break;
}
one.kill("SIGKILL");
await once(one, "exit");
console.log(`worker one was killed in ${session}`);

for (let tries = 1; ; tries++) {
  const two = start("two", ["sessions", "resume", session, ...agent], await folder());
  const { code, output, complaint } = await finish(two, true);
  if (code === 0) {
    assert.match(output, /Line 123456 is 1123455\./);
    console.log("worker two: Line 123456 is 1123455.");
    break;
  }
  // The lease of a worker that died runs out.
  assert.ok(complaint.includes("is being written by") && tries < 60, complaint);
  await sleep(500);
}
model.close();

function start(name, args, cwd) {
  const child = spawn(process.execPath, [SPILLWAY, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  if (name === "one") child.stderr.pipe(process.stderr);
  return child;
}

async function finish(child, mayFail = false) {
  let [output, complaint] = ["", ""];
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr.on("data", (chunk) => {
    complaint += chunk;
  });
  const [code] = await once(child, "close");
  assert.ok(mayFail || code === 0, complaint);
  return { code, output, complaint };
}

async function* events(child) {
  let rest = "";
  for await (const chunk of child.stdout) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    for (const line of lines) yield JSON.parse(line);
  }
}

function folder() {
  return mkdtemp(path.join(tmpdir(), "spillway-fleet-"));
}
