import { readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { startProxy } from "../../../dist/mcp.mjs";

export const fault = "1,000 sessions over HTTP at a proxy with a cap, streams left half open among them";

const SERVER = `
  const lines = require("readline").createInterface({ input: process.stdin });
  const send = (id, result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
  lines.on("line", (line) => {
    const { id, method } = JSON.parse(line);
    if (method === "initialize") send(id, { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } });
    else if (id !== undefined) send(id, { content: [{ type: "text", text: "answer" }] });
  });
  lines.on("close", () => process.exit(0));`;
const CAP = 8;
const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

export async function run({ long, folder }) {
  const proxy = await startProxy({
    root: folder,
    upstream: { command: process.execPath, args: ["-e", SERVER] },
    listen: { host: "127.0.0.1", port: 0, token: false },
    maxSessions: CAP,
    report: () => {},
  });
  const tries = long ? 10_000 : 1000;
  const sessions = [];
  let [refused, unanswered] = [0, 0];
  try {
    for (let at = 0; at < tries; at++) {
      const answer = await post(proxy.url, { id: 1, method: "initialize", params: INITIALIZE });
      if (answer.session !== undefined) sessions.push(answer.session);
      else if (answer.status >= 400 && /sessions already/.test(answer.body)) refused++;
      else unanswered++;
    }
    const halfOpen = sessions.slice(0, CAP / 2).map((session) => openHalf(proxy.url, session));
    for (const session of sessions) {
      const { body } = await post(
        proxy.url,
        { id: 2, method: "tools/call", params: { name: "t", arguments: {} } },
        session,
      );
      if (!body.includes("answer")) unanswered++;
    }
    for (const socket of halfOpen) socket.destroy();
  } finally {
    await proxy.close();
  }
  if (sessions.length !== CAP || refused !== tries - CAP) unanswered += Math.abs(tries - CAP - refused);
  await new Promise((resolve) => setTimeout(resolve, 500));
  const leaks = childrenOf(process.pid);
  const note = `${sessions.length} served at once, ${refused} refused with a reason`;
  return unanswered > 0
    ? { failed: `${unanswered} without a proper answer; ${note}` }
    : { tries, lostBytes: 0, leaks, note };
}

const INITIALIZE = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "c", version: "1" } };

async function post(url, message, session) {
  const headers = session === undefined ? HEADERS : { ...HEADERS, "mcp-session-id": session };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify({ jsonrpc: "2.0", ...message }) });
  return {
    status: response.status,
    session: response.headers.get("mcp-session-id") ?? undefined,
    body: await response.text(),
  };
}

/** Asks for a stream and then neither reads nor closes it. */
function openHalf(url, session) {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  socket.write(
    `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAccept: text/event-stream\r\nmcp-session-id: ${session}\r\n\r\n`,
  );
  socket.pause();
  return socket;
}

function childrenOf(pid) {
  const alive = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return alive.filter((name) => {
    try {
      return new RegExp(`\\) [^Z] ${pid} `).test(readFileSync(`/proc/${name}/stat`, "utf8"));
    } catch {
      return false;
    }
  }).length;
}
